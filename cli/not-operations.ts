/**
 * The commands that are no operations, with the reason: other interfaces than the command line do not have them, or
 * have them in a form of their own. Every other command is one, with the role that may do it.
 */
export const NOT_OPERATIONS: Readonly<Record<string, string>> = {
  'contact.export': 'writes a stream to the terminal',
  'audience.export': 'writes a stream to the terminal',
  'suppress.import': 'reads a file of this machine, as it comes',
  'suppress.export': 'writes a stream to the terminal',
  'campaign.preview': 'writes a file of this machine',
  'template.preview': 'may write a file of this machine, unlike the operation of the same name',
  'bounce.explain': 'needs only the rules, and works without data',
  demo: 'shows what the first start wrote',
  'sandbox.advance': 'controls the running process, and can be interrupted',
  'sandbox.now': 'compares the clock of this machine',
  'topics.list': 'inspects the installation, even before its first start',
  'topics.create': 'sets up the installation before its first start',
  'topics.grow': 'changes the installation for all workspaces at once',
  'topics.move': 'needs every process to be stopped',
  'indexes.list': 'inspects the installation, even before its first start',
  'indexes.create': 'sets up the installation before its first start',
  'upgrade.check': 'is run before a process is started',
  audit: 'reads all data for minutes, in a separate process',
  pii: 'reads all data for minutes, in a separate process',
  backup: 'writes a file of this machine',
  restore: 'needs the process to be stopped',
};

/** The operations that are no commands, with the reason. */
export const NOT_COMMANDS: Readonly<Record<string, string>> = {
  'campaign.render': 'returns what campaign preview writes to a file or to the inbox',
  'audit.start': 'runs in the service; kurir audit runs here and waits for the result',
};
