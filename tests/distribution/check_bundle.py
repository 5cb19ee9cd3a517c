"""Start the bundle on a machine without Python: ``python tests/distribution/check_bundle.py PACKED IMAGE``.

`IMAGE` is the folder of a small Debian, which is made with ``debootstrap`` if it is not there: what a desktop has of
Qt's system libraries, a virtual screen and the tools of desktops; no Python and no fonts.  There an ordinary user
without a network and with an empty home unpacks the bundle, parses, has pictures, a handout and snapshots made, opens
the window, goes through the six stages by keys, installs the desktop entry and asks what kinds of files there are
(``bundle_steps.sh``).  Prints what was seen and how long it took; ends with an error at the first thing that is not as
it should be.

It needs root, ``debootstrap`` and, for the image, a network.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SUITE = "bookworm"
SYSTEM = (
    *("libegl1", "libgl1", "libxkbcommon0", "libxkbcommon-x11-0", "libdbus-1-3", "libfontconfig1", "libglib2.0-0"),
    *("libxcb-cursor0", "libxcb-icccm4", "libxcb-image0", "libxcb-keysyms1", "libxcb-render-util0", "libxcb-shape0"),
    *("xvfb", "xauth", "xdotool", "x11-apps", "x11-utils", "xz-utils"),
    *("desktop-file-utils", "shared-mime-info", "xdg-utils", "libglib2.0-bin"),
)
USER = "reader"
USER_NUMBER = 1000
STEPS = "bundle_steps.sh"


def make_image(image: Path) -> None:
    """Make a small Debian with what a desktop has, and a user."""
    subprocess.run(["debootstrap", "--variant=minbase", SUITE, str(image)], check=True, stdout=subprocess.DEVNULL)
    install = f"DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends {' '.join(SYSTEM)}"
    for command in (install, f"useradd --create-home {USER}"):
        subprocess.run(["chroot", str(image), "sh", "-c", command], check=True, stdout=subprocess.DEVNULL)


def check_image(image: Path) -> None:
    """See that there is no Python that could be used in the place of the bundle's."""
    found = [path for name in ("usr/bin", "usr/local/bin", "bin") for path in (image / name).glob("python*")]
    if found:
        raise SystemExit(f"{found[0]}: the image has a Python; make another")


def run_steps(image: Path, packed: Path) -> int:
    """Go through the steps as an ordinary user, without a network; the exit status."""
    home, temporary = image / "home" / USER, image / "tmp"
    for folder in (home, temporary):
        # A screen that was ended by force leaves its lock behind.
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    temporary.chmod(0o1777)
    for source in (packed, HERE / STEPS):
        shutil.copy(source, temporary)
    mounts = (
        f"mount -t proc proc {image}/proc && mount --rbind /dev {image}/dev"
        f" && mount -t tmpfs -o mode=1777 shm {image}/dev/shm"
        f" && chown {USER_NUMBER}:{USER_NUMBER} {home}"
        f" && exec chroot --userspec={USER}:{USER} {image} env -i HOME=/home/{USER} USER={USER} LANG=C.UTF-8"
        f" PATH=/usr/bin:/bin bash /tmp/{STEPS} /tmp/{packed.name}"
    )
    command = ["unshare", "--net", "--mount", "--pid", "--fork", "sh", "-c", mounts]
    return subprocess.run(command).returncode


def main() -> int:
    """Make the image if need be, and go through the steps in it."""
    parser = argparse.ArgumentParser(description="Start the bundle on a machine without Python.")
    parser.add_argument("packed", type=Path, help="the packed bundle, as make_bundle.py writes it")
    parser.add_argument("image", type=Path, help="the folder of the image, made if it is not there")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="copy what was made there to this folder")
    options = parser.parse_args()
    image = options.image.resolve()
    if not image.is_dir():
        make_image(image)
    check_image(image)
    status = run_steps(image, options.packed.resolve())
    if options.keep:
        shutil.copytree(image / "home" / USER / "results", options.keep, dirs_exist_ok=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
