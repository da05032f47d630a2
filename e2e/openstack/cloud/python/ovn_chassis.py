"""ovn_chassis.py DATABASE FOLDER HOST plays ovn-controller for a host that does not exist.

It registers the host as a chassis and keeps it alive. It claims the ports that are bound to the host as soon as the
hypervisor has left a file for them in FOLDER, so that Neutron shows them as ACTIVE.
"""
import os
import sys
import time
import uuid

from ovs import poller
from ovs.db import idl as ovs_idl

database, folder, host = sys.argv[1:]
chassis_name = str(uuid.uuid5(uuid.NAMESPACE_DNS, host))
# Versions of Neutron differ in which of two columns they read these from.
chassis_options = {
    'ovn-bridge-mappings': 'physnet1:br-ex', 'ovn-cms-options': 'enable-chassis-as-gw', 'datapath-type': 'system',
    'iface-types': 'geneve,internal,system', 'is-interconn': 'false'}

schema = ovs_idl.SchemaHelper('/usr/share/ovn/ovn-sb.ovsschema')
for table in ('Chassis', 'Chassis_Private', 'Encap', 'Port_Binding', 'SB_Global'):
    schema.register_table(table)
idl = ovs_idl.Idl(database, schema)


def rows(name):
    return list(idl.tables[name].rows.values())


def now_ms():
    return int(time.time() * 1000)


def register(transaction):
    encapsulation = transaction.insert(idl.tables['Encap'])
    encapsulation.type, encapsulation.ip, encapsulation.chassis_name = 'geneve', '127.0.1.1', chassis_name
    encapsulation.options = {'csum': 'true'}
    chassis = transaction.insert(idl.tables['Chassis'])
    chassis.name, chassis.hostname, chassis.encaps = chassis_name, host, [encapsulation]
    chassis.external_ids = chassis.other_config = chassis_options
    private = transaction.insert(idl.tables['Chassis_Private'])
    private.name, private.chassis, private.nb_cfg_timestamp = chassis_name, chassis, now_ms()


def keep_alive(configuration):
    for private in rows('Chassis_Private'):
        if private.name == chassis_name and private.nb_cfg != configuration:
            private.nb_cfg, private.nb_cfg_timestamp = configuration, now_ms()


def claim_ports(chassis):
    """True while a port waits for the hypervisor."""
    waiting = False
    for binding in rows('Port_Binding'):
        if binding.type == '':
            wanted = chassis if binding.options.get('requested-chassis') == host else None
        elif binding.type == 'chassisredirect':
            wanted = chassis
        else:
            continue
        current = binding.chassis[0] if binding.chassis else None
        is_plugged = os.path.exists(os.path.join(folder, 'vif-' + binding.logical_port))
        if binding.type == '' and wanted is not None and current is not wanted and not is_plugged:
            waiting = True
        elif current is not wanted or (wanted is not None and binding.up != [True]):
            binding.chassis = wanted if wanted is not None else []
            binding.up = wanted is not None
    return waiting


def turn():
    settings = rows('SB_Global')
    if not settings:
        return False
    transaction = ovs_idl.Transaction(idl)
    chassis = next((row for row in rows('Chassis') if row.hostname == host), None)
    if chassis is None:
        register(transaction)
    else:
        keep_alive(settings[0].nb_cfg)
    waiting = claim_ports(chassis)
    status = transaction.commit_block()
    if status not in (ovs_idl.Transaction.SUCCESS, ovs_idl.Transaction.UNCHANGED):
        print('transaction:', ovs_idl.Transaction.status_to_string(status), transaction.get_error(), flush=True)
    return waiting


seen, waiting = None, False
while True:
    idl.run()
    changed = idl.change_seqno != seen
    if changed or waiting:
        seen = idl.change_seqno
        waiting = turn()
        if changed:
            continue
    pause = poller.Poller()
    idl.wait(pause)
    pause.timer_wait(100 if waiting else 1000)
    pause.block()
