import { parseInput } from '../core/params/input.decorator.js';
import { InstanceSettings } from '../core/settings/instance-settings.service.js';
import type { SettingDeclaration } from '../core/settings/setting-types.js';
import { SETTINGS, type SettingName } from '../core/settings/settings.js';
import { SettingsUpdateService } from '../instance/settings/settings-update.service.js';
import {
  presentSettings,
  UpdateSettingsDto,
  type SettingsResponse,
} from '../instance/settings/settings.dto.js';
import { type Cli, CliError, examplesText, type RegisterCommand } from './cli.js';

/** Value that is read from standard input: other users can see command lines. */
const FROM_STDIN = '-';

const EXAMPLES = [
  'settings get signup_enabled',
  'settings set signup_enabled=true repository_storages_weighted=default=100,storage2=50',
];

/** `guildhall settings get|set` */
export const registerSettings: RegisterCommand = (program, cli) => {
  const settings = program
    .command('settings')
    .description('read and change settings')
    .addHelpText('after', examplesText(EXAMPLES));
  settings
    .command('get')
    .description('print all settings, or one')
    .argument('[name]', 'the setting')
    .action((name?: string) => get(cli, name));
  settings
    .command('set')
    .description('change settings, effective immediately in all processes')
    .argument('<name=value...>', 'the new value, `-` to read it from standard input')
    .action((assignments: string[]) => set(cli, assignments));
};

async function get(cli: Cli, name: string | undefined): Promise<void> {
  const all = await cli.withApp((app) =>
    Promise.resolve(presentSettings(app.get(InstanceSettings).values)),
  );
  if (name === undefined) {
    cli.print(all, linesOf(Object.entries(all)));
    return;
  }
  const shown = shownOf(all, name);
  if (shown.length === 0) throw new CliError(`there is no setting ${name}`);
  cli.print(Object.fromEntries(shown), linesOf(shown));
}

async function set(cli: Cli, assignments: readonly string[]): Promise<void> {
  const raw = await readAssignments(cli, assignments);
  const changes = await parseInput(UpdateSettingsDto, raw);
  const after = await cli.withApp(async (app) => {
    const updates = app.get(SettingsUpdateService, { strict: false });
    return presentSettings(await updates.update(changes, cli.actor));
  });
  const shown = Object.keys(raw).flatMap((name) => shownOf(after, name));
  cli.print(Object.fromEntries(shown), linesOf(shown));
}

async function readAssignments(
  cli: Cli,
  assignments: readonly string[],
): Promise<Record<string, unknown>> {
  const raw: Record<string, unknown> = {};
  for (const assignment of assignments) {
    const [, name = '', given = ''] = /^(\w+)=(.*)$/s.exec(assignment) ?? [];
    if (name === '') throw new CliError(`${assignment} is not of the form name=value`);
    if (!Object.hasOwn(SETTINGS, name)) throw new CliError(`there is no setting ${name}`);
    const text = given === FROM_STDIN ? (await cli.io.readStdin()).trimEnd() : given;
    raw[name] = valueOf(name as SettingName, text);
  }
  return raw;
}

/** Weights are written `default=100,storage2=50`; every other type reads the text itself. */
function valueOf(name: SettingName, text: string): unknown {
  const { type }: SettingDeclaration = SETTINGS[name];
  if (type !== 'weights' || text === '') return text;
  return Object.fromEntries(text.split(',').map((part) => part.split('=')));
}

/** Returns the setting, for a secret only if it is set; nothing for an unknown name. */
function shownOf(settings: SettingsResponse, name: string): [string, unknown][] {
  return Object.entries(settings).filter(
    ([key]) => key === name || (key === `${name}_configured` && Object.hasOwn(SETTINGS, name)),
  );
}

function linesOf(entries: readonly [string, unknown][]): string {
  return entries.map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join('\n');
}
