import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { read } from './mails';

const PROGRAM = join(__dirname, 'random_mails.py');
const MAILS = 400;

/** A random mail and what Python's email package reads of it. */
interface RandomMail {
  raw: string;
  subject: string;
  address: string;
  name: string;
  replyTo: string | null;
  text: string | null;
  html: string | null;
}

function randomMails(seed: string): RandomMail[] {
  const output = execFileSync('python3', [PROGRAM, seed, String(MAILS)], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  const lines = output.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as RandomMail);
}

const lines = (text: string | null): string | null => text?.replace(/\r\n?/g, '\n').trimEnd() ?? null;

describe("Random mails, beside Python's parser", () => {
  test.each(['1', String(Math.random())])('seed %s: subject, From, Reply-To, text and HTML', async (seed) => {
    const mails = randomMails(seed);
    expect(mails).toHaveLength(MAILS);
    for (const mail of mails) {
      const { subject, from, replyTo, text, html } = await read(Buffer.from(mail.raw, 'base64'));
      const ours = { subject, ...from, name: from.name ?? '', replyTo, text, html: mail.html === null ? null : html };
      const { raw: _, ...theirs } = { ...mail, text: lines(mail.text), html: lines(mail.html) };
      expect(ours).toEqual(theirs);
    }
  });
});
