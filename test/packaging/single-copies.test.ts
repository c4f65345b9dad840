import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** Packages that hold state in their module, or compare by their own classes: a second copy does not know the first. */
const ONE_ONLY: Readonly<Record<string, string>> = {
  '@peculiar/asn1-schema': 'schemas of ASN.1 types register in it: another copy says "Cannot get schema"',
  '@peculiar/asn1-x509': 'its classes register in asn1-schema, and are compared by identity',
  '@peculiar/asn1-ecc': 'its classes register in asn1-schema',
  '@peculiar/asn1-rsa': 'its classes register in asn1-schema',
  '@peculiar/x509': 'its crypto provider and its extensions register in it',
  '@simplewebauthn/server': 'its settings (root certificates) are kept in it',
  asn1js: 'its types are compared by instanceof',
  pvtsutils: 'its converters register in it',
  'reflect-metadata': 'metadata of classes lie in it',
  tsyringe: 'what is injected registers in it',
  bson: 'values of another copy are refused as of another version',
  mongodb: 'its classes are compared by instanceof',
  'prom-client': 'metrics register in it',
  koa: 'its contexts are made from one prototype',
  kafkajs: 'its errors are compared by class',
  'node-rdkafka': 'a native library',
  '@photostructure/sqlite': 'a native library',
  ioredis: 'its errors are compared by class',
  mrml: 'a native library',
  pino: 'its symbols and levels are compared by identity',
  'openid-client': 'its configurations lie in weak maps',
  oauth4webapi: 'its symbols are compared by identity',
  'smtp-server': 'extended by inheritance here',
  eta: 'its templates are cached in it',
};

/** Those of which the program holds several all the same, and why that does no harm. */
const SEVERAL: Readonly<Record<string, string>> = {
  'content-type': 'functions on text',
  depd: 'its warnings are its only state',
  'dom-serializer': 'functions; html-to-text serializes no tree of ours',
  domelementtype: 'constants',
  domhandler: 'a tree is walked by the copy that made it',
  domutils: 'a tree is walked by the copy that made it',
  entities: 'functions on text',
  htmlparser2: 'html-to-text has one of its own, and gives no tree to others',
  'http-errors': 'an error is known by its status, not by its class',
  'mime-db': 'constants',
  'mime-types': 'functions on text',
  'sonic-boom': 'pino and pino-pretty each write to a file of their own',
  statuses: 'constants',
  tslib: 'functions',
};

interface Copy {
  path: string;
  version: string;
  dev?: boolean;
}

function copies(): Map<string, Copy[]> {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, Copy> };
  const found = new Map<string, Copy[]>();
  for (const [path, facts] of Object.entries(lock.packages)) {
    const name = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), { ...facts, path }]);
  }
  return found;
}

test.each(Object.entries(ONE_ONLY))('%s is installed once, since %s', (name) => {
  // Copies for tests only count as well: what is hoisted is shared.
  expect((copies().get(name) ?? []).map(({ path, version }) => `${path} ${version}`)).toHaveLength(1);
});

test('of what the program runs with, several copies are there only where that is known to be harmless', () => {
  const several = [...copies()].filter(([, all]) => all.filter(({ dev }) => !dev).length > 1).map(([name]) => name);
  expect(several.sort()).toEqual(Object.keys(SEVERAL).sort());
});
