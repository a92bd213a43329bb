"""Real weights go from one process to another over a Unix socket, and every checksum is compared.

The child reads the model's tensors from memory that is mapped and sends them, with the checksum of each one after the
last; this process receives them straight into their final memory and compares. One line of progress; the exit code is
1 if a checksum differs or a tensor is missing.

    make demo-stream                        the weights of silero-vad (1.2 MB)
    make demo-stream DEMO_MODEL=minilm      those of all-MiniLM-L6-v2 (91 MB)
"""

from __future__ import annotations

import os
import socket
import sys
import time
import zlib

import hurray
import numpy as np
import weights


def send(to: socket.socket, model: str) -> None:
    """Sends every tensor, then the checksums of all of them as one more tensor."""
    arrays = weights.load(weights.fetch(model))
    writer = hurray.StreamWriter(to)
    sums = []
    for array in arrays.values():
        writer.write(array)
        sums.append(zlib.crc32(array.tobytes()))
    writer.write(np.array(sums, dtype=np.uint32))
    writer.finish()


def receive(source: socket.socket) -> int:
    """Receives what `send` sends; 0 if every checksum is equal."""
    found: list[int] = []
    sent: list[int] = []
    received, started = 0, time.perf_counter()
    for item in hurray.StreamReader(source):
        assert isinstance(item, hurray.Tensor)
        array = item.numpy()
        if array.dtype == np.uint32:
            sent = array.tolist()
            break
        found.append(zlib.crc32(array.tobytes()))
        received += array.nbytes
        print(f"\r{len(found)} tensors, {received / 1e6:.1f} MB", end="", flush=True)
    taken = time.perf_counter() - started
    right = sum(one == other for one, other in zip(found, sent, strict=False))
    print(f"\r{len(found)} tensors, {received / 1e6:.1f} MB in {taken:.2f} s: {right} of {len(sent)} checksums equal")
    return 0 if sent and right == len(sent) == len(found) else 1


def main() -> int:
    """Runs both processes."""
    model = os.environ.get("DEMO_MODEL", "silero")
    weights.fetch(model)
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    child = os.fork()
    if child == 0:
        ours.close()
        try:
            send(theirs, model)
        finally:
            theirs.close()
        os._exit(0)
    theirs.close()
    wrong = receive(ours)
    _, status = os.waitpid(child, 0)
    return 1 if wrong or status else 0


if __name__ == "__main__":
    sys.exit(main())
