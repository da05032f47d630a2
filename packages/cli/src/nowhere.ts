import { Writable } from 'node:stream';

/** A stream for output that nobody should see. */
export function nowhere(): Writable {
  return new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
}
