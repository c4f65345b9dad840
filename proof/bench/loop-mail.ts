import { createHmac, randomUUID } from 'node:crypto';
import type { createTransport } from 'nodemailer';
import { SAMPLES, type SampleName } from './sample-mail';

type Mail = Parameters<ReturnType<typeof createTransport>['sendMail']>[0];

const SECRET = 'the loop of the bench';
const BASE = 'https://loop.example';
const HREF = /href="([^"]+)"/g;
const FOOTER = 'Bench, Jl. Contoh No. 1, Jakarta 10110';

const token = (text: string): string => createHmac('sha256', SECRET).update(text).digest('base64url');

const FROM = { name: 'Bench', address: 'no-reply@loop.example' };
const to = (n: number): Mail['to'] => ({ name: '', address: `r${n}@recipient.example` });

/**
 * Makes the mails of a good loop: for each recipient its name, links and a pixel of its own, a footer and a link to
 * unsubscribe, as in ours, so that as many bytes are written and signed. The links are found once for all mails.
 */
export function trackedMails(sample: SampleName): (n: number) => Mail {
  const { subject, html, text } = SAMPLES[sample];
  const pieces = html.split(HREF);
  const end = pieces.at(-1)?.indexOf('</body>') ?? 0;
  return (n) => {
    const id = randomUUID();
    const unsubscribe = `${BASE}/u/${id}/${token(`u ${id}`)}`;
    const body = pieces.map((piece, i) =>
      i % 2 === 0 ? piece : `href="${BASE}/c/${id}/${(i - 1) / 2}/${token(`c ${id} ${i}`)}"`,
    );
    const last = body.pop() ?? '';
    const added =
      `<p>${FOOTER} <a href="${unsubscribe}">Unsubscribe</a></p>` +
      `<img src="${BASE}/o/${id}/${token(`o ${id}`)}" width="1" height="1" alt="">`;
    return {
      from: FROM,
      to: to(n),
      subject: `${subject}, Pelanggan ${n}`,
      html: body.join('') + last.slice(0, end) + added + last.slice(end),
      text: `${text}\n${FOOTER}\n${unsubscribe}\n`,
      headers: {
        'X-Message-id': id,
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    };
  };
}

/** The mails as they are, with the headers that the sending server counts by. */
export function plainMails(sample: SampleName): (n: number) => Mail {
  const { subject, html, text } = SAMPLES[sample];
  return (n) => ({
    from: FROM,
    to: to(n),
    subject,
    html,
    text,
    headers: { 'X-Message-id': randomUUID(), 'List-Unsubscribe': '<https://loop.example/u/1>' },
  });
}
