import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import octavia_sockets  # noqa: E402,F401
from octavia.api.app import setup_app  # noqa: E402

application = setup_app()
