import { Help, type Command } from 'commander';

/** Lets a command be called by its former name too, if it has one. */
export const withFormerName = (command: Command, formerly: string | undefined): Command =>
  formerly === undefined ? command : command.alias(formerly);

const PLAIN = new Help();

/** What is left of commander's help when only the names of today are shown. */
export const WITHOUT_FORMER_NAMES: Pick<Help, 'subcommandTerm' | 'commandUsage'> = {
  subcommandTerm: (command) => withoutAlias(command, PLAIN.subcommandTerm(command)),
  commandUsage: (command) => withoutAlias(command, PLAIN.commandUsage(command)),
};

/** Commander writes `name|alias`. */
const withoutAlias = (command: Command, text: string): string =>
  text.replace(`${command.name()}|${command.alias()}`, command.name());
