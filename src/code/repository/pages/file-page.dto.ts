import { TextParam } from '../../../core/params/params.decorator.js';

/** GET /:project/-/blob/:ref/:path */
export class BlobPageDto {
  /** Anything but nothing shows Markdown as it was written. */
  @TextParam()
  plain?: string | null;
}

/** GET /:project/-/refs/switch */
export class SwitchRefDto {
  /** Branch, tag or commit to go to. */
  @TextParam()
  ref?: string | null;

  /** Kind of the page to go to: `tree`, `blob` or `commits`. */
  @TextParam()
  destination?: string | null;

  /** File or folder to be shown there. */
  @TextParam()
  path?: string | null;
}
