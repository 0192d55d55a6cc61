import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';

/** An application to be registered for the whole instance. */
export class CreateApplicationDto {
  /** Shown on the consent screen. */
  @TextParam({ required: true })
  name: string;

  /** Redirect URIs, separated by white space. */
  @TextParam({ required: true })
  redirect_uri: string;

  /** Scopes that it can request, separated by spaces. */
  @TextParam({ required: true })
  scopes: string;

  /** True if it can keep a secret; true by default. */
  @BooleanParam()
  confidential?: boolean | null;
}
