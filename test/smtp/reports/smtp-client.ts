import SMTPConnection, { type SMTPEnvelope } from 'nodemailer/lib/smtp-connection';

export interface Answer {
  code: number;
  text: string;
}

/**
 * Sends one mail over its own connection, with TLS when a trusted certificate is given. Returns the last reply, also a
 * refusal; rejects when the connection breaks.
 */
export async function sendMail(
  port: number,
  envelope: SMTPEnvelope,
  raw: Buffer | string,
  tls?: { ca: string },
): Promise<Answer> {
  const client = new SMTPConnection({
    host: '127.0.0.1',
    port,
    name: 'client.test',
    logger: false,
    ignoreTLS: !tls,
    requireTLS: !!tls,
    ...(tls && { tls }),
  });
  try {
    return await new Promise<Answer>((resolve, reject) => {
      client.once('error', reject);
      client.once('end', () => reject(new Error('The connection ended.')));
      client.connect(() => {
        client.send(envelope, raw, (error, info) => {
          if (!error) resolve({ code: Number(info.response.slice(0, 3)), text: info.response.slice(4) });
          else if (error.responseCode) resolve({ code: error.responseCode, text: error.response?.slice(4) ?? '' });
          else reject(error);
        });
      });
    });
  } finally {
    client.on('error', () => undefined);
    client.close();
  }
}
