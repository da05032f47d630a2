import { connect } from 'node:tls';

/** When the certificate of a server expires. The server is already trusted at this point. */
export function certificateEnd({ hostname, port }: URL): Promise<Date> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443) }, () => {
      const { valid_to: end } = socket.getPeerCertificate();
      socket.end();
      resolve(new Date(end));
    });
    socket.on('error', reject);
  });
}
