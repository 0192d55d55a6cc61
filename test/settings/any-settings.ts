import fc, { type Arbitrary } from 'fast-check';
import type { SettingDeclaration } from '../../src/core/settings/setting-types.js';
import { SETTING_NAMES, SETTINGS } from '../../src/core/settings/settings.js';

const line = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 50 })
  .filter((text) => text.trim() !== '');

function anyValue(setting: SettingDeclaration): Arbitrary<unknown> {
  switch (setting.type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer(setting);
    case 'optional integer':
      return fc.option(fc.integer(setting));
    case 'text':
      return setting.values ? fc.constantFrom(...setting.values) : line;
    case 'paths':
      return fc.array(
        fc.webPath({ size: 'small' }).filter((path) => path.startsWith('/')),
        { maxLength: 5 },
      );
    case 'url':
      return fc.webUrl({ withQueryParameters: true });
    case 'weights':
      return fc.dictionary(
        fc.constantFrom('default', 'storage2'),
        fc.integer({ min: 0, max: 100 }),
      );
  }
}

/** Some of the settings that are shown, each with a valid value. */
export const anySettings = fc.record(
  Object.fromEntries(
    SETTING_NAMES.map((name): [string, SettingDeclaration] => [name, SETTINGS[name]])
      .filter(([, setting]) => setting.secret !== true)
      .map(([name, setting]) => [name, anyValue(setting)]),
  ),
  { requiredKeys: [], noNullPrototype: true },
);
