import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../../operations/config/config';
import { VARIABLES } from '../../../operations/config/config-variables';
import { variablesOfEnvFile, variablesOfTable } from '../../support/documented-variables';

const read = (name: string): string => readFileSync(join(__dirname, '../../..', name), 'utf8');
const declared = Object.entries(VARIABLES).map(([name, { default: value, about }]) => ({
  name,
  default: value,
  about,
}));

describe('the documents agree with the code', () => {
  test('.env.example has every variable with its default and description, in order', () => {
    expect(variablesOfEnvFile(read('.env.example'))).toEqual(declared);
  });

  test('.env.example as it stands is the default configuration', () => {
    const values = Object.fromEntries(
      variablesOfEnvFile(read('.env.example')).map((item) => [item.name, item.default]),
    );
    expect(readConfig(values)).toEqual(readConfig({}));
  });

  test('docs/configuration.md has every variable with its default and description, in order', () => {
    expect(variablesOfTable(read('docs/configuration.md'))).toEqual(declared);
  });
});
