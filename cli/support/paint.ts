import { styleText } from 'node:util';
import type { Sink } from './host';

export type Tone = 'good' | 'bad' | 'warn' | 'dim' | 'strong';
/** Colours a text if colours are enabled; otherwise returns it unchanged. */
export type Paint = (tone: Tone, text: string) => string;

const STYLES = { good: 'green', bad: 'red', warn: 'yellow', dim: 'dim', strong: 'bold' } as const;

/** Colours only on a terminal that has them, and not with NO_COLOR (which Node's own `hasColors` reads). */
export function paintFor(sink: Sink): Paint {
  const coloured = sink.isTTY === true && sink.hasColors?.() === true;
  return (tone, text) => (coloured ? styleText(STYLES[tone], text, { validateStream: false }) : text);
}

const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  delivered: 'good',
  ok: 'good',
  on: 'good',
  bounced: 'bad',
  failed: 'bad',
  missing: 'bad',
  differs: 'bad',
  wrong: 'bad',
  unknown: 'bad',
  suspended: 'bad',
  revoked: 'bad',
  dns_failed: 'bad',
  off: 'bad',
  pending_dns: 'warn',
  queued: 'warn',
  sending: 'warn',
};

/** Colours a status word; other words stay unchanged. */
export function statusPaint(paint: Paint, word: string): string {
  const tone = TONES[word];
  return tone ? paint(tone, word) : word;
}
