import { afterEach } from '@jest/globals';
import { SmtpTransport } from '../../../email/transports/smtp';
import type { SmtpTransportOptions } from '../../../email/transports/smtp-options';
import type { Envelope, HandOffOutcome } from '../../../email/transports/transport';
import { ScriptedSmtp, type Script } from './scripted-smtp';

export const ENVELOPE: Envelope = { from: 'b-1@bounce.demo.kurir.test', to: 'budi@example.com', envid: 'id-1' };
export const SMALL = Buffer.from('Subject: hi\r\n\r\nhello\r\n');
export const BIG = Buffer.from(`Subject: big\r\n\r\n${'0123456789abcdef\r\n'.repeat(466_034)}`);

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const task of cleanUp.splice(0)) await task();
});

/** Work to be done after the test, when its transports are closed. */
export function onceOver(task: () => Promise<void>): void {
  cleanUp.push(task);
}

/** A scripted server that is stopped after the test. */
export async function server(script?: Script | ((connection: number) => Script)): Promise<ScriptedSmtp> {
  const scripted = await ScriptedSmtp.start(script);
  cleanUp.push(() => scripted.stop());
  return scripted;
}

/** A transport that is closed after the test. */
export function transport(url: string, options: Partial<SmtpTransportOptions> = {}): SmtpTransport {
  const made = new SmtpTransport({ url, maxConnections: 2, name: 'kurir.test', ...options });
  cleanUp.unshift(() => made.close());
  return made;
}

/** A fence that lets through and counts how often it was asked. */
export function counting(answer: () => Promise<boolean> = () => Promise.resolve(true)): {
  fence: () => Promise<boolean>;
  asked: number;
} {
  const counted = {
    asked: 0,
    fence: () => {
      counted.asked++;
      return answer();
    },
  };
  return counted;
}

/** Hands one mail to a server of its own. */
export async function handOff(
  script: Script,
  raw = SMALL,
  options: Partial<SmtpTransportOptions> = {},
): Promise<{ outcome: HandOffOutcome; asked: number; scripted: ScriptedSmtp }> {
  const scripted = await server(script);
  const counted = counting();
  const outcome = await transport(scripted.url, options).handOff(ENVELOPE, raw, counted.fence);
  return { outcome, asked: counted.asked, scripted };
}
