import { afterAll, describe, expect, test } from '@jest/globals';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../../operations/config/load-config';
import { temporaryDir } from '../../support/running';

const dir = temporaryDir();
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const ONE = 'correct-horse-battery-staple-0123456789';
const OTHER = 'another-horse-battery-staple-0123456789';
const secretFile = join(dir, 'secret');
writeFileSync(secretFile, `${ONE}\n`);

function load(file: string, env: Record<string, string>) {
  writeFileSync(join(dir, '.env'), file);
  return loadConfig(env, dir).config;
}

describe('a secret in the environment', () => {
  test('as a file wins over its value in .env', () => {
    expect(load(`KURIR_SECRET=${OTHER}\n`, { KURIR_SECRET_FILE: secretFile }).secret).toBe(ONE);
  });

  test('as a value wins over its file in .env', () => {
    expect(load(`KURIR_SECRET_FILE=${secretFile}\n`, { KURIR_SECRET: OTHER }).secret).toBe(OTHER);
  });

  test('leaves the other secrets of .env', () => {
    const config = load('KURIR_MTA_URL=smtp://mta.example\n', { KURIR_SECRET: OTHER });
    expect([config.secret, config.mtaUrl]).toEqual([OTHER, 'smtp://mta.example']);
  });

  test('by both names is a fault, in the environment or in .env', () => {
    const both = { KURIR_SECRET: OTHER, KURIR_SECRET_FILE: secretFile };
    const text = Object.entries(both).map(([name, value]) => `${name}=${value}\n`);
    const fault = 'KURIR_SECRET_FILE must not be set together with KURIR_SECRET';
    expect(() => load('', both)).toThrow(fault);
    expect(() => load(text.join(''), {})).toThrow(fault);
  });
});
