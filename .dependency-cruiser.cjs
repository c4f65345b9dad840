/**
 * The arrows of the design: cli -> app -> {api, consumers, sandbox} -> accept -> {domain, email, webhooks, schemas, ports} -> lib.
 * A driver knows ports and domain only. Only the wiring (app), the tests and the benches know a driver.
 */
const PORTS = '^(streams/[^/]+\\.ts|stores/ports/)';
const DRIVERS = '^(stores/(?!ports/|shared/)[^/]+/|streams/drivers/)';
const OURS =
  '^(accept|api|app|bench|campaigns|cli|clients|crash|consumers|conversions|domain|email|lib|sandbox|schemas|scripts|stores|streams|suppressions|templates|test|webhooks)/';
const PRODUCT =
  '^(accept|api|app|campaigns|cli|consumers|conversions|domain|email|lib|sandbox|schemas|stores|streams|suppressions|templates|webhooks)/';

/** Modules at `from` may import, of ours, only what matches one of `to`. */
const only = (name, from, to, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: { path: OURS, pathNot: [...to, '^lib/'] },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    only('clients-import-nothing', '^clients/', ['^clients/'], 'A client is copied into other programs.'),
    only('lib-imports-nothing', '^lib/', ['^lib/'], 'General parts know nothing of mail.'),
    only('domain-imports-lib', '^domain/', ['^domain/'], 'The rules of the domain are pure.'),
    only('email-imports-domain', '^email/', ['^(email|domain)/'], 'Composition takes plain data.'),
    only(
      'webhooks-import-domain',
      '^webhooks/',
      ['^(webhooks|domain|schemas)/', PORTS],
      'Webhooks know no door and no driver.',
    ),
    only(
      'campaigns-import-ports',
      '^campaigns/',
      ['^(campaigns|domain|schemas)/', PORTS],
      'Starting a campaign knows no door and no driver.',
    ),
    only(
      'conversions-import-ports',
      '^conversions/',
      ['^(conversions|domain)/', PORTS],
      'Explaining a sale knows no door and no driver.',
    ),
    only(
      'suppressions-import-ports',
      '^suppressions/',
      ['^(suppressions|domain)/', PORTS],
      'Blocking an address knows no door and no driver.',
    ),
    only(
      'templates-import-ports',
      '^templates/',
      ['^(templates|domain|email|schemas)/', PORTS],
      'Storing a template knows no door and no driver.',
    ),
    only('schemas-import-domain', '^schemas/', ['^(schemas|domain)/'], 'Schemas describe; they do not act.'),
    only('ports-import-domain', PORTS, ['^(domain|schemas)/', PORTS], 'Ports speak only domain types.'),
    only('shared-imports-ports', '^stores/shared/', ['^stores/shared/', '^domain/', PORTS], 'What both drivers share.'),
    only(
      'store-drivers-import-ports',
      '^stores/(?!ports/|shared/)([^/]+)/',
      ['^stores/$1/', '^stores/shared/', '^domain/', PORTS],
      'A driver fulfils its ports.',
    ),
    only(
      'log-drivers-import-ports',
      '^streams/drivers/([^/]+)/',
      ['^streams/drivers/$1/', '^domain/', '^streams/[^/]+\\.ts'],
      'A driver fulfils its ports, and knows no store.',
    ),
    only(
      'streams-know-no-store',
      '^streams/[^/]+\\.ts',
      ['^(domain|schemas)/', '^streams/[^/]+\\.ts'],
      'The stores write to the log; the log does not look back.',
    ),
    only(
      'accept-stays-in-its-layer',
      '^accept/',
      ['^(accept|domain|email|schemas|templates)/', PORTS],
      'The command that makes messages knows no door.',
    ),
    only(
      'api-stays-in-its-layer',
      '^api/',
      [
        '^(api|accept|campaigns|conversions|domain|email|schemas|suppressions|templates|webhooks)/',
        PORTS,
        '^stores/shared/',
      ],
      'The API knows no consumer and no driver.',
    ),
    only(
      'consumers-stay-in-their-layer',
      '^consumers/',
      ['^(consumers|accept|campaigns|domain|email|schemas|webhooks)/', PORTS],
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
      ['^(app|api|accept|campaigns|consumers|sandbox|domain|email|schemas|stores|streams|suppressions|webhooks)/'],
      'The wiring knows nothing of who started it.',
    ),
    only(
      'cli-goes-through-app',
      '^cli/',
      ['^(cli|app|campaigns|conversions|domain|email|schemas|suppressions|templates|webhooks)/', PORTS],
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
        'The SDK of a store stays behind its port. The sandbox keeps a file of its own; the data dir is locked and backed up with SQLite.',
      from: {
        pathNot: [
          DRIVERS,
          '^(sandbox|test|bench|crash)/',
          '^app/engines/(data-dir|running-file|sqlite-snapshot)\\.ts$',
        ],
      },
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
    // The client that use-client imports is generated beside it when it is checked.
    exclude: { path: '^(dist|data|coverage)/|^test/clients/use-(kurir-)?client' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default', 'types'] },
    reporterOptions: { text: { highlightFocused: true } },
  },
};
