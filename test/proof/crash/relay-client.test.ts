import { expect, test } from '@jest/globals';
import { freePorts } from '../../../proof/crash/free-ports';
import { takeByRelay } from '../../../proof/crash/relay-client';

test('a mail for a relay that is not up yet is to be sent again', async () => {
  const [port = 0] = await freePorts(1);
  expect(await takeByRelay(port, [])).toBe(false);
});
