"""Another name of the package mo_openvino, for installations without a `mo` of openvino-dev: `import mo`."""
from mo_openvino import *  # noqa: F403
from mo_openvino import __all__, __doc__, __version__  # noqa: F401
