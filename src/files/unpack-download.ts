import { gunzipSync, inflateRawSync } from 'node:zlib';

/** Far above any known list or database; a decompression bomb fails here. */
const maxUnpackedBytes = 512 * 1024 * 1024;

/** The content of a download as it is published: plain, gzipped, or the first file of a zip archive. */
export function unpackDownload(bytes: Uint8Array): Buffer {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length > 2 && buffer.readUInt16BE(0) === 0x1f8b) {
    return gunzipSync(buffer, { maxOutputLength: maxUnpackedBytes });
  }
  if (buffer.length > 4 && buffer.readUInt32LE(0) === localFileSignature) return firstEntry(buffer);
  return buffer;
}

const localFileSignature = 0x04034b50;
const localHeaderBytes = 30;
const stored = 0;
const deflated = 8;

/**
 * The first entry of a zip archive, from its local header (APPNOTE 4.3.7). A deflate stream marks its own end. So only stored
 * entries need the sizes, which a streamed archive has only behind the data.
 */
function firstEntry(archive: Buffer): Buffer {
  if (archive.length < localHeaderBytes) throw new Error('the zip archive is truncated');
  const flags = archive.readUInt16LE(6);
  const method = archive.readUInt16LE(8);
  const start = localHeaderBytes + archive.readUInt16LE(26) + archive.readUInt16LE(28);
  if ((flags & 1) !== 0) throw new Error('the zip archive is encrypted');
  if (method === deflated) return inflateRawSync(archive.subarray(start), { maxOutputLength: maxUnpackedBytes });
  const size = archive.readUInt32LE(18);
  if (method === stored && (flags & 8) === 0 && start + size <= archive.length) {
    return archive.subarray(start, start + size);
  }
  throw new Error(`the zip archive uses an unknown compression (method ${method})`);
}
