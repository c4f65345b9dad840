/**
 * The arrows of the design: cli -> app -> {api, consumers, sandbox} -> {domain, email, schemas, ports}.
 * A driver knows ports and domain only, and only the wiring (app), the tests and the benches know a driver.
 */
const PORTS = '^(streams/[^/]+\\.ts|stores/ports/)';
const DRIVERS = '^(stores/(?!ports/)[^/]+/|streams/drivers/)';
const OURS = '^(api|app|bench|cli|crash|consumers|domain|email|sandbox|schemas|scripts|stores|streams|test)/';
const PRODUCT = '^(api|app|cli|consumers|domain|email|sandbox|schemas|stores|streams)/';

/** Modules at `from` may import, of ours, only what matches one of `to`. */
const only = (name, from, to, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: { path: OURS, pathNot: to },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    only('domain-imports-nothing', '^domain/', ['^domain/'], 'The rules of the domain are pure.'),
    only('email-imports-domain', '^email/', ['^(email|domain)/'], 'Composition takes plain data.'),
    only('schemas-import-domain', '^schemas/', ['^(schemas|domain)/'], 'Schemas describe; they do not act.'),
    only('ports-import-domain', PORTS, ['^(domain|schemas)/', PORTS], 'Ports speak only domain types.'),
    // The embedded log and stores share one file, so that one transaction spans both.
    only(
      'store-drivers-import-ports',
      '^stores/(?!ports/)([^/]+)/',
      ['^stores/$1/', '^streams/drivers/$1/', '^domain/', PORTS],
      'A driver fulfils its ports.',
    ),
    only(
      'log-drivers-import-ports',
      '^streams/drivers/([^/]+)/',
      ['^streams/drivers/$1/', '^stores/$1/', '^domain/', PORTS],
      'A driver fulfils its ports.',
    ),
    only(
      'api-stays-in-its-layer',
      '^api/',
      ['^(api|domain|email|schemas)/', PORTS],
      'The API knows no consumer and no driver.',
    ),
    only(
      'consumers-stay-in-their-layer',
      '^consumers/',
      ['^(consumers|domain|email|schemas)/', PORTS],
      'A consumer knows no route and no driver.',
    ),
    only(
      'sandbox-stays-in-its-layer',
      '^sandbox/',
      ['^(sandbox|domain|email|schemas)/', PORTS],
      'The sandbox is a server beside us, not a part of us.',
    ),
    only(
      'app-is-not-cli',
      '^app/',
      ['^(app|api|consumers|sandbox|domain|email|schemas|stores|streams)/'],
      'The wiring knows nothing of who started it.',
    ),
    only(
      'cli-goes-through-app',
      '^cli/',
      ['^(cli|app|domain|email|schemas)/', PORTS],
      'Commands get what they need from the wiring.',
    ),
    {
      name: 'only-wiring-imports-drivers',
      severity: 'error',
      comment: 'The engine is chosen in one place.',
      from: { pathNot: ['^(app|test|bench|crash)/', DRIVERS] },
      to: { path: DRIVERS },
    },
    {
      name: 'nothing-imports-tests-benches-or-the-crash-proof',
      severity: 'error',
      from: { pathNot: '^(test|bench|crash)/' },
      to: { path: '^(test|bench|crash)/' },
    },
    {
      name: 'only-drivers-import-their-sdk',
      severity: 'error',
      comment:
        'The SDK of a store stays behind its port. The sandbox keeps a file of its own; the data dir is locked by SQLite.',
      from: { pathNot: [DRIVERS, '^(sandbox|test|bench|crash)/', '^app/(data-dir|running-file)\\.ts$'] },
      to: { path: 'node_modules/(@photostructure/sqlite|kafkajs|node-rdkafka|mongodb|ioredis)/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-undeclared-packages',
      severity: 'error',
      comment: 'A package that is not in package.json may be gone tomorrow.',
      from: { path: OURS },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'undetermined'] },
    },
    {
      name: 'no-dev-packages-in-the-product',
      severity: 'error',
      comment: 'The start needs no devDependencies.',
      from: { path: [PRODUCT, '^(bin|scripts)/'] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: 'node_modules/@types/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|data|coverage)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default', 'types'] },
    reporterOptions: { text: { highlightFocused: true } },
  },
};
