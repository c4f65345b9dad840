import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sleep } from '../../lib/sleep';
import { temporaryDir } from '../support/running';
import { kurir, readFirstRun, Service } from '../support/service';
import { codeBlocks, readDocument } from './markdown';

describe('the first mail by SMTP', () => {
  const dir = temporaryDir();
  let service: Service;
  beforeAll(async () => {
    service = await Service.start(dir, {});
  });
  afterAll(async () => {
    await service.kill();
    rmSync(dir, { recursive: true, force: true });
  });

  const run = (script: string) => promisify(execFile)('sh', ['-ec', script]);

  /** Waits until so many mails are in the inbox. */
  async function untilArrived(count: number): Promise<void> {
    const { inbox_url: inbox } = readFirstRun(dir);
    for (;;) {
      const page = await (await fetch(inbox ?? '')).text();
      if (page.split('delivered@example.test').length > count) return;
      await sleep(100);
    }
  }

  // spec: docs/contract.md#relay-connection: curl, with the demo's login
  test('goes by the snippet of docs/smtp.md', async () => {
    const [snippet = ''] = codeBlocks(readDocument('docs/smtp.md'), 'sh').filter((code) =>
      code.includes('first-run.json'),
    );
    const { port } = readFirstRun(dir).smtp;
    await run(snippet.replace('./data/first-run.json', join(dir, 'first-run.json')).replace(':2587', `:${port}`));
    await untilArrived(1);
  });

  test('goes by the line that kurir demo prints', async () => {
    const { stdout } = await kurir(dir, ['demo']);
    const line = /^printf .*curl .*smtp:.*$/m.exec(stdout)?.[0];
    await run(`SMTP_PASSWORD=${readFirstRun(dir).smtp.password}; ${line ?? 'exit 1'}`);
    await untilArrived(2);
  });
});
