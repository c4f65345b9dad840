import { expect, test } from '@jest/globals';
import { MESSAGE } from '../../../stores/mongodb/messages/message-fields';
import { aMessage } from '../../support/message';

test('a message from before the relay has no attachments that were left out', () => {
  const { attachmentsLeftOut: _none, ...older } = MESSAGE.encode(aMessage());
  expect(MESSAGE.decode(older as ReturnType<typeof MESSAGE.encode>)).toEqual(aMessage());
  expect(MESSAGE.decode(MESSAGE.encode(aMessage({ attachmentsLeftOut: 2 })))).toMatchObject({ attachmentsLeftOut: 2 });
});
