/** What devices there are and what they can do, as {@code ibv_devices} and {@code ibv_devinfo} tell it. */
package org.rdma4j.tools.device;
