const lengthBytes = 4;

/** The length-prefixed fields of an SSH key; undefined if they do not cover the blob exactly. */
export function readFields(blob: Buffer): readonly Buffer[] | undefined {
  const fields: Buffer[] = [];
  let offset = 0;
  while (offset < blob.length) {
    const start = offset + lengthBytes;
    if (start > blob.length) return undefined;
    offset = start + blob.readUInt32BE(offset);
    if (offset > blob.length) return undefined;
    fields.push(blob.subarray(start, offset));
  }
  return fields;
}
