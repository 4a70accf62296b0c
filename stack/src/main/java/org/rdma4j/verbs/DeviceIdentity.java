package org.rdma4j.verbs;

import java.lang.module.ModuleDescriptor;

/**
 * Who made a device, and which one it is (fields of {@code struct ibv_device_attr}).
 *
 * @param firmwareVersion a software device has no firmware but itself: the version of rdma4j, empty where the class path
 *     does not tell it
 * @param nodeGuid the device's 64-bit name
 * @param systemImageGuid the same, for it is not part of a larger machine
 * @param vendorId an IEEE OUI; all ones for none, as Linux' rxe has it
 * @param vendorPartId 0: there are no models
 * @param hardwareVersion 0: there is no hardware
 */
public record DeviceIdentity(
        String firmwareVersion,
        long nodeGuid,
        long systemImageGuid,
        int vendorId,
        int vendorPartId,
        int hardwareVersion) {

    private static final int NO_VENDOR = 0xFF_FFFF;

    static DeviceIdentity of(long nodeGuid) {
        ModuleDescriptor module = DeviceIdentity.class.getModule().getDescriptor();
        String version = module == null ? "" : module.rawVersion().orElse("");
        return new DeviceIdentity(version, nodeGuid, nodeGuid, NO_VENDOR, 0, 0);
    }
}
