import { expect, test } from '@jest/globals';
import { readConfig } from '../../operations/config/config';
import { parseQueueSettings } from '../../operations/doctor/postfix-settings';
import { codeBlocks, readDocument } from './markdown';

const { evidenceWait } = readConfig({});

test.each([
  ['docs/postfix.md', codeBlocks(readDocument('docs/postfix.md'), '').join('')],
  ['packaging/docker/postfix/main.cf', readDocument('packaging/docker/postfix/main.cf')],
])('the main.cf of %s gives mail up before KURIR_EVIDENCE_WAIT ends, and reports delays', (_name, mainCf) => {
  const settings = parseQueueSettings(mainCf);
  expect(settings?.maximal_queue_lifetime).toBeLessThan(evidenceWait);
  expect(settings?.bounce_queue_lifetime).toBeLessThan(evidenceWait);
  expect(settings?.delay_warning_time).toBeGreaterThan(0);
});
