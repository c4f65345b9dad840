import { styleText } from 'node:util';
import type { Sink } from './host';
import type { Paint } from '../../operations/definition';

const STYLES = { good: 'green', bad: 'red', warn: 'yellow', dim: 'dim', strong: 'bold' } as const;

/** Colours only on a terminal that has them, and not with NO_COLOR (which Node's own `hasColors` reads). */
export function paintFor(sink: Sink): Paint {
  const coloured = sink.isTTY === true && sink.hasColors?.() === true;
  return (tone, text) => (coloured ? styleText(STYLES[tone], text, { validateStream: false }) : text);
}
