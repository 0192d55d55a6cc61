import {
  decodedPath,
  INVALID,
  toBoolean,
  toInteger,
  toList,
  toText,
} from '../../core/params/coerce.js';
import { declare } from '../../core/params/params.decorator.js';
import type { SettingDeclaration } from '../../core/settings/setting-types.js';
import {
  SETTING_NAMES,
  SETTINGS,
  type SecretName,
  type Settings,
} from '../../core/settings/settings.js';

const MAX_TEXT = 1_000;
const MAX_PATHS = 100;
const MAX_WEIGHT = 100;

const NOT_ALLOWED = 'has a value not allowed';
const CONTROL = /[\u0000-\u001f\u007f]/;

/** The parameter by which a setting is changed; its checks follow from the declaration. */
function settingParam(setting: SettingDeclaration): PropertyDecorator {
  const { description } = setting;
  switch (setting.type) {
    case 'boolean':
      return declare({ kind: 'boolean', description }, toBoolean, () => null);
    case 'integer':
    case 'optional integer':
      return integerParam(setting);
    case 'text':
      return textParam(setting);
    case 'paths':
      return declare(
        { kind: 'list', of: 'text', commaSeparated: true, maxItems: MAX_PATHS, description },
        toPaths,
        (items) => ((items as string[]).length > MAX_PATHS ? NOT_ALLOWED : null),
      );
    case 'url':
      return declare(
        { kind: 'text', format: 'uri', maxLength: MAX_TEXT, description },
        toText,
        (text) => (isPlainUrl(text as string) ? null : 'is invalid'),
      );
    case 'weights':
      return declare(
        { kind: 'hash', of: 'integer', min: 0, max: MAX_WEIGHT, description },
        toWeights,
        (weights) => (Object.values(weights as object).every(isWeight) ? null : NOT_ALLOWED),
      );
  }
}

function integerParam({
  description,
  min,
  max,
}: SettingDeclaration & { min: number; max: number }): PropertyDecorator {
  return declare({ kind: 'integer', min, max, description }, toInteger, (value) =>
    (value as number) < min || (value as number) > max ? NOT_ALLOWED : null,
  );
}

/** null removes a secret, as the empty text does. */
function textParam({
  description,
  secret,
  values,
}: SettingDeclaration & { type: 'text' }): PropertyDecorator {
  return declare(
    { kind: 'text', maxLength: MAX_TEXT, description, ...(values && { values }) },
    secret === true ? (raw) => toText(raw ?? '') : toText,
    (value) => {
      const text = value as string;
      if (CONTROL.test(text)) return 'is invalid';
      if (text.length > MAX_TEXT) return 'is too long';
      return values && !values.includes(text) ? 'does not have a valid value' : null;
    },
  );
}

function toPaths(raw: unknown): unknown {
  const items = toList(raw, true);
  if (!Array.isArray(items)) return INVALID;
  const paths = items.map(toText);
  return paths.every(isPath) ? paths : INVALID;
}

/** Anything else would match no request and protect nothing. */
function isPath(text: unknown): boolean {
  if (typeof text !== 'string' || text.length > MAX_TEXT || CONTROL.test(text)) return false;
  return /^\/[^?#]*$/.test(text) && decodedPath(text) !== null;
}

/** Requests with keys of ours go there: no other protocol, no credentials, no fragment. */
function isPlainUrl(text: string): boolean {
  if (text.length > MAX_TEXT || /\s/.test(text) || CONTROL.test(text)) return false;
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password, hash } = new URL(text);
  return username === '' && password === '' && hash === '';
}

function toWeights(raw: unknown): unknown {
  if (raw === null || raw === '') return {};
  if (typeof raw !== 'object' || Array.isArray(raw)) return INVALID;
  const entries = Object.entries(raw).map(([name, weight]) => [name, toInteger(weight)] as const);
  const isWhole = entries.every(([, weight]) => typeof weight === 'number');
  return isWhole ? Object.fromEntries(entries) : INVALID;
}

function isWeight(weight: unknown): boolean {
  return (weight as number) >= 0 && (weight as number) <= MAX_WEIGHT;
}

/** Any of the settings; what is left out or null stays as it is, unless null is one of its values. */
export type SettingChanges = { -readonly [K in keyof Settings]?: Settings[K] | null };

/** Gives the class its type; its properties come from the loop below. */
const Changes = Object as unknown as new () => SettingChanges;

/** PUT /application/settings */
export class UpdateSettingsDto extends Changes {}

for (const name of SETTING_NAMES) settingParam(SETTINGS[name])(UpdateSettingsDto.prototype, name);

type ShownSettings = { [K in Exclude<keyof Settings, SecretName>]: Settings[K] };
type ConfiguredSecrets = { [K in SecretName as `${K}_configured`]: boolean };

/** Instance settings; secrets only as set or not set. */
export interface SettingsResponse extends ShownSettings, ConfiguredSecrets {}

/** Returns the settings for administrators. */
export function presentSettings(settings: Settings): SettingsResponse {
  const entries = SETTING_NAMES.map((name): [string, unknown] => {
    const declaration: SettingDeclaration = SETTINGS[name];
    if (declaration.secret !== true) return [name, settings[name]];
    return [`${name}_configured`, settings[name] !== ''];
  });
  return Object.fromEntries(entries) as unknown as SettingsResponse;
}
