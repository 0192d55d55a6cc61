/** A text that is pasted somewhere, and where. */
export interface GuideStep {
  /** What to do with it: `Install the SDK`, `In settings.py`. */
  title: string;
  code: string;
}

/** How programs of one kind report their errors: what is pasted, in order; the last step tries it. */
export interface SdkGuide {
  /** In addresses: `?sdk=python`. */
  name: string;
  label: string;
  /** Steps with the project's address filled in. */
  steps: (dsn: string) => GuideStep[];
  /** What is to be known besides. */
  note?: string;
}

/** Titles of steps that most guides have. */
export const INSTALL = 'Install the SDK';
export const TRY = 'Send an error to try it out';

/** Lines of one text. */
export function lines(...texts: string[]): string {
  return texts.join('\n');
}
