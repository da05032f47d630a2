"""launch.py MODULE:FUNCTION NAME ARGUMENTS... starts a service as its console script would.

Debian ships the console scripts of most services only in the packages that also start daemons.
"""
import importlib
import os
import sys

folder = os.path.dirname(os.path.abspath(__file__))
target, name = sys.argv[1:3]
sys.argv = [name] + sys.argv[3:]
module, function = target.split(':')
main = getattr(importlib.import_module(module), function)
if name == 'nova-compute':
    # Nova looks for hypervisors below nova.virt only.
    import nova.virt
    nova.virt.__path__.append(os.path.join(folder, 'nova_virt'))
if name == 'neutron-server':
    # Ports of routers are never bound to a host. Neutron would wait 5 seconds for each of them, and keep all other
    # ports waiting meanwhile.
    import neutron.plugins.ml2.plugin
    neutron.plugins.ml2.plugin.MAX_PROVISIONING_TRIES = 1
if name.startswith('octavia'):
    import octavia_sockets  # noqa: F401
sys.exit(main())
