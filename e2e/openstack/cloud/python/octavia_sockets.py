"""Load balancer drivers look for Octavia's driver agent in /var/run/octavia, whatever the configuration says.

The folder with our sockets comes in the environment.
"""
import os

from octavia_lib.api.drivers import driver_lib

_sockets = tuple(os.path.join(os.environ['OCTAVIA_SOCKETS'], name + '.sock') for name in ('status', 'stats', 'get'))
_defaults = driver_lib.DriverLibrary.__init__.__defaults__
driver_lib.DriverLibrary.__init__.__defaults__ = _sockets + _defaults[len(_sockets):]
