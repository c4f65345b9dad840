import { expect, test } from '@jest/globals';
import { readConfig } from '../../../operations/config/config';
import { faultsOf } from './faults-of';

const SECRET = 'correct-horse-battery-staple';

test('where alarms go: a URL with its secret, a mail with its sender', () => {
  const post = { KURIR_ALARM_URL: 'http://10.0.0.7:8080/hook?team=mail', KURIR_ALARM_SECRET: SECRET };
  const mail = { KURIR_ALARM_MAIL: 'Ops@Perusahaan.example', KURIR_ALARM_SENDER: 'Toko.example' };
  expect(readConfig({ ...post, ...mail }).alarms).toEqual({
    post: { url: 'http://10.0.0.7:8080/hook?team=mail', secret: SECRET },
    mail: { to: 'ops@perusahaan.example', sender: 'toko.example' },
  });
  expect(faultsOf({ KURIR_ALARM_URL: post.KURIR_ALARM_URL })).toEqual([
    'KURIR_ALARM_SECRET must have at least 16 ASCII characters without spaces, because it signs each request (is "...").',
  ]);
  expect(faultsOf({ ...post, KURIR_ALARM_URL: 'ftp://a.example' })).toHaveLength(1);
  expect(faultsOf({ KURIR_ALARM_MAIL: mail.KURIR_ALARM_MAIL })).toEqual([
    'KURIR_ALARM_SENDER must be a sending domain of this installation (is "").',
  ]);
  expect(faultsOf({ ...mail, KURIR_ALARM_MAIL: 'ops' })).toHaveLength(1);
});

test('the blocklists that are asked', () => {
  expect(readConfig({}).blocklists).toContain('zen.spamhaus.org');
  expect(readConfig({ KURIR_BLOCKLISTS: 'Zen.example, list.example' }).blocklists).toEqual([
    'zen.example',
    'list.example',
  ]);
  expect(readConfig({ KURIR_BLOCKLISTS: 'off' }).blocklists).toEqual([]);
  expect(faultsOf({ KURIR_BLOCKLISTS: 'zen' })).toEqual([
    'KURIR_BLOCKLISTS must be domains, comma-separated, or off (is "zen").',
  ]);
});
