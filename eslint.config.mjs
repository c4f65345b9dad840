import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { builtinRules } from 'eslint/use-at-your-own-risk';
import tseslint from 'typescript-eslint';
import { commentWidth } from './packaging/comment-width.mjs';
import { noStoreWrites } from './packaging/no-store-writes.mjs';
import { testLimits } from './packaging/test-limits.mjs';
import { wording } from './packaging/wording.mjs';

/** ESLint's own recommended set, as the installed version marks it. */
const recommended = Object.fromEntries(
  [...builtinRules].filter(([, rule]) => rule.meta.docs?.recommended).map(([name]) => [name, 'error']),
);

const environment = {
  // The argument of readConfig, or of what reads the same around it, is the one place where the environment comes in.
  selector:
    'MemberExpression[object.name="process"][property.name="env"]:not(CallExpression[callee.name=/^(readConfig|loadConfig|logFormatOf)$/] > *)',
  message:
    'Only operations/config/config.ts reads the environment: hand process.env to readConfig and pass slices of the Config on.',
};
const clock = [
  {
    selector:
      'MemberExpression[object.name="Date"][property.name="now"], NewExpression[callee.name="Date"][arguments.length=0]',
    message: 'Time comes from the Clock that is handed in (lib/clock).',
  },
  {
    selector: 'MemberExpression[object.name="Temporal"][property.name="Now"]',
    message: 'Time comes from the Clock that is handed in (lib/clock).',
  },
];
/** The answers of operations have types: no screen types them again. */
const answers = [
  {
    selector: 'CallExpression[callee.property.name=/^(perform|submit|read)$/] > TSTypeParameterInstantiation',
    message: 'The answer of an operation has its type.',
  },
  { selector: 'TSAsExpression > TSUnknownKeyword', message: 'Take the type of what is answered (AnswerOf, RowOf).' },
];
const always = [
  { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
  {
    // What is spread escapes the compiler's check for fields that nobody reads.
    selector: 'ObjectExpression > SpreadElement > ObjectExpression.argument',
    message: 'Write the fields out instead of spreading an object of them.',
  },
];

/** The rules of our own. ESLint's cache knows a plugin by its version: what they are made of. */
const own = [
  'packaging/comment-width.mjs',
  'packaging/no-store-writes.mjs',
  'packaging/test-limits.mjs',
  'packaging/wording.mjs',
];
const version = [...own, 'test/support/limits.json']
  .reduce((hash, file) => hash.update(readFileSync(new URL(file, import.meta.url))), createHash('sha256'))
  .digest('hex');
const kurir = {
  meta: { name: 'kurir', version },
  rules: { 'comment-width': commentWidth, 'no-store-writes': noStoreWrites, 'test-limits': testLimits, wording },
};

export default tseslint.config(
  { ignores: ['dist/', 'dist-docs/', 'data/', 'coverage/', 'node_modules/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    name: 'kurir/comments',
    plugins: { kurir },
    rules: { 'kurir/comment-width': 'error' },
  },
  {
    name: 'kurir/scripts',
    files: ['**/*.js', '**/*.cjs', '**/*.mjs'],
    rules: { ...recommended, 'no-undef': 'off' },
  },
  {
    name: 'kurir/typescript',
    files: ['**/*.ts'],
    extends: [{ rules: recommended }, tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Left to the compiler, or to the typed rule of the same name.
      'no-undef': 'off',
      'no-redeclare': 'off',
      'no-unused-vars': 'off',
      // Mail is about control characters.
      'no-control-regex': 'off',

      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/prefer-readonly': 'error',
      // A synchronous driver behind an asynchronous port is async so that what it throws becomes a rejection.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],

      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-eval': 'error',
      'no-implied-eval': 'off',
      'object-shorthand': 'error',
      'prefer-const': 'error',

      complexity: ['error', 15],
      'max-depth': ['error', 3],
      'max-lines': ['error', 300],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 6],
      'no-restricted-properties': [
        'error',
        { object: 'URL', property: 'canParse', message: 'It is wrong on Node 20 once optimised: use lib/read-url.' },
      ],
      'no-restricted-syntax': ['error', environment, ...clock, ...always],
    },
  },
  {
    name: 'kurir/wording',
    files: [
      '{api,app,cli,clients,consumers,dashboard,domain,email,lib,operations,sandbox,schemas,smtp,stores,streams}/**/*.{ts,mjs}',
    ],
    // What other people's servers, forms and files say.
    ignores: [
      'domain/{bounces,engagement}/**',
      'schemas/contacts/status-columns.ts',
      'smtp/reports/prose/**',
      'sandbox/{inbox-style,mail-file-schema}.ts',
    ],
    rules: { 'kurir/wording': 'error' },
  },
  {
    name: 'kurir/interfaces',
    files: ['{api,cli,dashboard,operations,smtp}/**/*.ts'],
    rules: { 'kurir/no-store-writes': 'error' },
  },
  {
    // Network time-outs do not come from the clock (docs/architecture.md).
    name: 'kurir/real-time',
    files: [...['lib/advancing-clock.ts', 'email/transports/**/*.ts', 'proof/**/*.ts'], 'clients/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', environment, ...always] },
  },
  {
    // Where the servers under test are is no configuration of Kurir's.
    name: 'kurir/servers-under-test',
    files: ['proof/crash/rows.ts', 'proof/crash/stage/shifted-clock.ts', 'proof/bench/main.ts'],
    rules: { 'no-restricted-syntax': ['error', ...always] },
  },
  {
    name: 'kurir/screens',
    files: ['dashboard/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', environment, ...clock, ...always, ...answers] },
  },
  {
    name: 'kurir/shapes',
    files: ['dashboard/**/shape.ts'],
    rules: { 'no-restricted-syntax': ['error', { selector: 'Program', message: answers[0].message }] },
  },
  {
    name: 'kurir/output',
    files: ['cli/**/*.ts', 'proof/bench/**/*.ts', 'proof/crash/main.ts', 'proof/crash/command.ts', 'test/fuzz/main.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    // A describe block is one long function; tests start processes and wait for them in real time.
    name: 'kurir/tests',
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/unbound-method': 'off',
      'max-lines': ['error', 500],
      'max-lines-per-function': 'off',
      'no-restricted-syntax': ['error', ...always],
      'kurir/test-limits': 'error',
    },
  },
);
