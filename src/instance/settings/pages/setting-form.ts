import { InvalidParamsError } from '../../../core/errors.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import type { SettingDeclaration } from '../../../core/settings/setting-types.js';
import { SETTINGS, type SettingName } from '../../../core/settings/settings.js';
import { UpdateSettingsDto, type SettingChanges } from '../settings.dto.js';
import type { SettingSection } from './setting-sections.js';

type Form = Record<string, unknown>;

/** The field that takes a secret away: leaving a secret's own field empty keeps it. */
export function removalOf(name: SettingName): string {
  return `remove_${name}`;
}

/** Returns the changes of a section's form. Throws InvalidParamsError. */
export async function changesOf({ names }: SettingSection, form: Form): Promise<SettingChanges> {
  const given = names.flatMap((name) => {
    const value = valueOf(name, form);
    return value === undefined ? [] : [[name, value] as const];
  });
  const missing = names.filter((name) => isMissing(name, form));
  if (missing.length > 0) throw new InvalidParamsError(missing.map((name) => `${name} is missing`));
  return parseInput(UpdateSettingsDto, Object.fromEntries(given));
}

function valueOf(name: SettingName, form: Form): unknown {
  const { type, secret }: SettingDeclaration = SETTINGS[name];
  const value = form[name];
  if (secret === true) return secretOf(name, form);
  if (type === 'paths' && typeof value === 'string') return linesOf(value);
  if (type === 'weights') return weightsOf(value);
  return value;
}

function secretOf(name: SettingName, form: Form): unknown {
  if (form[removalOf(name)] === 'true') return '';
  return form[name] === '' ? undefined : form[name];
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Storages without a number are left out: they take no new repositories. */
function weightsOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([, weight]) => weight !== ''));
}

/** The API takes null for "as it is"; a field that was emptied means something else. */
function isMissing(name: SettingName, form: Form): boolean {
  return SETTINGS[name].type === 'integer' && form[name] === '';
}
