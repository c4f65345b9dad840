import { describe, expect, test } from '@jest/globals';
import { ownPath } from '../../../dashboard/kit/own-path';

describe('where a sign-in leads', () => {
  test.each([
    '/app',
    '/app/',
    '/app/w/1/messages',
    '/app/w/1/contacts?search=a%2Fb&status=subscribed',
    '/app/w/1/contacts?next=//evil.test/%2e%2e',
    '/app/users/siti%40toko.example',
    '/app/users/s%C3%ADti%40toko.example',
    '/app/health#audit',
    '/app?from=mail',
    '/app/claim/0123456789abcdef',
  ])('to %s', (next) => {
    expect(ownPath(next)).toBe(next);
  });

  test.each([
    ['/app/w/1/./messages', '/app/w/1/messages'],
    ['/app/w/1/x/../messages', '/app/w/1/messages'],
    ['/app/w/1/x/%2e%2E/messages', '/app/w/1/messages'],
  ])('%s, as a browser reads it, to %s', (next, read) => {
    expect(ownPath(next)).toBe(read);
  });

  test.each([
    ...['', '/', 'app', '/application', '/apps/x', '/t/c/token/0', 'https://evil.test/app', 'javascript:alert(1)'],
    ...['//evil.test', '//evil.test/app', '/app//evil.test', '/app/..//evil.test', '/app/%2f%2fevil.test'],
    ...['/\\evil.test', '\\\\evil.test', '/app\\..\\t', '/app/..\\t', '/app/%5c..%5ct', '/app/%5C%5Cevil.test'],
    ...['/app/../t/c/token/0', '/app/../../t', '/app/..', '/app/w/1/../../../t/c/token/0', '/app/./../t'],
    ...['/app/%2e%2e/t/c/token/0', '/app/%2E%2e/t', '/app/.%2e/t', '/app/%2e./t', '/app/%2e%2e%2ft', '/app/..%2ft'],
    ...['/app/%252e%252e/t', '/app/%25252e%25252e/t', '/app/..%252ft', '/app/%252e%252e%255ct'],
    ...[
      '/app/%252525252525252525252e%252525252525252525252e/t',
      '/app/%',
      '/app/%zz/x',
      '/app/%ff/x',
      '/app/%c0%ae%c0%ae/t',
    ],
    ...['/app/\t../t', '/\tapp/..', '/app/.\t./t', '/app/.%09./t', '/app/%0d%0aset-cookie:x', '/app/\r\nx', '/app/\0'],
    ...['/app@evil.test', '/app:80@evil.test/', '/app/ x', '/app/é', `/app/${'a'.repeat(3_000)}`],
    ...['/app;/../t', '/app/;/../../t', '/app/..;/t/c', '/app/%2e%2e;x=1/t'],
  ])('%j to the first screen', (next) => {
    expect(ownPath(next)).toBe('/app');
  });
});
