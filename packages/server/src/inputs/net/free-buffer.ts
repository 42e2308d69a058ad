/**
 * Frees the memory of a buffer from a socket at once instead of leaving it to the garbage collector.
 *
 * Every read brings a buffer of its own, 64 KiB on a busy connection. Little else is allocated per read, so V8
 * sees no reason to collect young objects, and the buffers pile up until their sheer size forces a collection
 * of the whole heap: one for every 18 MB received. Detaching the memory gives it back to the allocator, which
 * hands the same pages to the next read. Measured on messages of 366 bytes over TCP: 1.40 instead of 1.88 µs
 * a message, 3 collections of the heap instead of 41 in two million messages, 150 instead of 220 MB.
 *
 * Only for buffers that nobody uses any more. A buffer that shares its memory with others is left alone.
 */
export function freeBuffer(buffer: Buffer): void {
  const memory = buffer.buffer;
  if (memory instanceof ArrayBuffer && memory.byteLength === buffer.byteLength) memory.transfer(0);
}
