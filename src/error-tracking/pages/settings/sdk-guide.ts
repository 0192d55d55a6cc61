/** A text that is pasted somewhere, and where. */
export interface GuideStep {
  /** Title of the step: `Install the SDK`, `In settings.py`. */
  title: string;
  code: string;
}

/** Setup guide for one platform: snippets in order; the last step sends a test event. */
export interface SdkGuide {
  /** In addresses: `?sdk=python`. */
  name: string;
  label: string;
  /** Steps with the project's address filled in. */
  steps: (dsn: string) => GuideStep[];
  /** Additional note. */
  note?: string;
}

/** Titles of steps that most guides have. */
export const INSTALL = 'Install the SDK';
export const TRY = 'Send a test error';

/** Lines of one text. */
export function lines(...texts: string[]): string {
  return texts.join('\n');
}
