import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * {@code java NewerClassFiles.java JAR}: gives the classes in the jar that were compiled for Java 5 or older the format of Java 8,
 * with the stack maps that it demands (JVMS 4.7.4, 4.10.1); their code stays as it is.
 *
 * <p>The JVM's start-up cache takes no class without stack maps: the old verifier would have to load other classes to check it (until
 * JDK-8317269). See docs/adr/0018-classes-of-picocli-with-stack-maps.md.
 */
final class NewerClassFiles {

    /** Java 8: the first of the formats that javac 25 still writes. */
    private static final int NEWER = ClassFile.JAVA_8_VERSION;

    private NewerClassFiles() {}

    public static void main(String[] arguments) throws IOException {
        Path jar = Path.of(arguments[0]);
        Map<String, byte[]> files = read(jar);
        if (renew(files)) {
            write(files, jar);
        }
    }

    private static Map<String, byte[]> read(Path jar) throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                files.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
            }
        }
        return files;
    }

    /** False where there was nothing to do, as in a second build. */
    private static boolean renew(Map<String, byte[]> files) {
        ClassFile classFile = ClassFile.of(ClassHierarchyResolverOption.of(hierarchy(files)));
        boolean isNew = false;
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            if (!file.getKey().endsWith(".class")) {
                continue;
            }
            ClassModel old = classFile.parse(file.getValue());
            if (old.majorVersion() < ClassFile.JAVA_6_VERSION) {
                file.setValue(renew(classFile, old));
                isNew = true;
            }
        }
        return isNew;
    }

    private static byte[] renew(ClassFile classFile, ClassModel old) {
        // Code that is passed on in pieces is put together anew, and gets its stack map.
        ClassTransform code = ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL);
        byte[] renewed = classFile.transformClass(
                old, code.andThen((builder, element) -> {
                    if (element instanceof ClassFileVersion) {
                        builder.withVersion(NEWER, 0);
                    } else {
                        builder.with(element);
                    }
                }));
        classFile.verify(renewed).stream().findFirst().ifPresent(error -> {
            throw error;
        });
        return renewed;
    }

    /** Where branches meet, a stack map names the class that two have in common. */
    private static ClassHierarchyResolver hierarchy(Map<String, byte[]> files) {
        return ClassHierarchyResolver.ofResourceParsing(type -> {
                    String name = type.descriptorString();
                    byte[] file = files.get(name.substring(1, name.length() - 1) + ".class");
                    return file == null ? null : new ByteArrayInputStream(file);
                })
                .orElse(ClassHierarchyResolver.defaultResolver());
    }

    /** With one fixed time, so that the same jar gives the same bytes. */
    private static void write(Map<String, byte[]> files, Path jar) throws IOException {
        Path renewed = jar.resolveSibling(jar.getFileName() + ".new");
        try (OutputStream out = Files.newOutputStream(renewed);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                ZipEntry entry = new ZipEntry(file.getKey());
                entry.setTimeLocal(LocalDateTime.of(1980, 1, 1, 0, 0));
                zip.putNextEntry(entry);
                zip.write(file.getValue());
            }
        }
        Files.move(renewed, jar, StandardCopyOption.REPLACE_EXISTING);
    }
}
