"""Nova's own fake hypervisor, with what a control plane looks at:

snapshots that reach Glance, GPUs as PCI devices, a console log that names its server, a VNC console that answers,
and a file for each plugged port, which tells ovn_chassis.py that the port may come up.
"""
import io
import json
import os
import time

import eventlet
import nova.conf
from nova.compute import task_states
from nova.console import type as console_types
from nova.image import glance
from nova.virt import fake

CONF = nova.conf.CONF
GPUS = 8


def _speak_vnc(client):
    """The least of the protocol RFB 3.8 that a proxy needs: no password, 4 by 4 pixels."""
    title = b'console'
    pixel_format = b'\x20\x18\0\x01\0\xff\0\xff\0\xff\x10\x08\0\0\0\0'
    try:
        client.sendall(b'RFB 003.008\n')
        client.recv(12)
        client.sendall(b'\x01\x01')
        client.recv(1)
        client.sendall(b'\0\0\0\0')
        client.recv(1)
        client.sendall(b'\0\x04\0\x04' + pixel_format + len(title).to_bytes(4, 'big') + title)
        while client.recv(4096):
            pass
    except OSError:
        pass
    finally:
        client.close()


class Hypervisor(fake.FakeDriver):
    vcpus, memory_mb, local_gb = 1000, 4000000, 600000

    def init_host(self, host):
        super().init_host(host)
        self._consoles = eventlet.listen(('127.0.0.1', 0))
        eventlet.spawn(self._serve_consoles)

    def _serve_consoles(self):
        while True:
            client, _ = self._consoles.accept()
            eventlet.spawn(_speak_vnc, client)

    def get_vnc_console(self, context, instance):
        return console_types.ConsoleVNC(host='127.0.0.1', port=self._consoles.getsockname()[1])

    # On a real host a port comes up after Nova has plugged it, and never before.

    def _mark(self, vifs, plugged):
        for vif in vifs or ():
            path = os.path.join(CONF.instances_path, 'vif-' + vif['id'])
            if plugged:
                open(path, 'w').close()
            elif os.path.exists(path):
                os.remove(path)

    def plug_vifs(self, instance, network_info):
        self._mark(network_info, True)

    def unplug_vifs(self, instance, network_info):
        self._mark(network_info, False)

    def attach_interface(self, context, instance, image_meta, vif):
        super().attach_interface(context, instance, image_meta, vif)
        self._mark([vif], True)

    def detach_interface(self, context, instance, vif):
        super().detach_interface(context, instance, vif)
        self._mark([vif], False)

    def finish_migration(self, context, migration, instance, disk_info, network_info, *args, **kwargs):
        super().finish_migration(context, migration, instance, disk_info, network_info, *args, **kwargs)
        self._mark(network_info, True)

    def spawn(self, context, instance, image_meta, injected_files, admin_password, allocations,
              network_info=None, *args, **kwargs):
        # A server with this metadata waits, so that tests can look at it while it is built. The description is the one
        # thing that Nova lets a caller change at that time.
        while (instance.metadata.get('hold') and instance.display_description != 'released'
               and instance.task_state != task_states.DELETING):
            time.sleep(0.5)
            instance.refresh()
        super().spawn(context, instance, image_meta, injected_files, admin_password, allocations,
                      network_info, *args, **kwargs)
        self._mark(network_info, True)
        self.instances[instance.uuid].booted = time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())

    def destroy(self, context, instance, network_info, *args, **kwargs):
        super().destroy(context, instance, network_info, *args, **kwargs)
        self._mark(network_info, False)

    def snapshot(self, context, instance, image_id, update_task_state):
        super().snapshot(context, instance, image_id, update_task_state)
        images = glance.API()
        image = images.get(context, image_id)
        update_task_state(task_state=task_states.IMAGE_UPLOADING, expected_state=task_states.IMAGE_UPLOADING)
        data = ('snapshot of %s\n' % instance.uuid).encode().ljust(4096, b'\0')
        properties = dict(image.get('properties', {}), image_location='snapshot', image_state='available')
        images.update(context, image_id, {
            'name': image['name'], 'status': 'active', 'disk_format': 'raw', 'container_format': 'bare',
            'properties': properties}, io.BytesIO(data))

    def get_console_output(self, context, instance):
        booted = getattr(self.instances.get(instance.uuid), 'booted', '?')
        return ('[    0.000000] Linux version 6.1.0 (fake hypervisor)\n'
                '[    0.500000] systemd[1]: Hostname set to <%s>.\n'
                '[    1.000000] cloud-init: instance-id %s booted %s\n'
                '%s login: \n' % (instance.hostname, instance.uuid, booted, instance.hostname))

    def get_available_resource(self, nodename):
        status = super().get_available_resource(nodename)
        if status:
            status['pci_passthrough_devices'] = json.dumps([{
                'address': '0000:%02x:00.0' % (0x10 + number), 'vendor_id': '10de', 'product_id': '2330',
                'status': 'available', 'dev_type': 'type-PCI', 'parent_addr': None, 'numa_node': None,
                'label': 'label_10de_2330'} for number in range(GPUS)])
        return status
