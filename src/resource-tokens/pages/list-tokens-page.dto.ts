import { TextParam } from '../../core/params/params.decorator.js';
import { TOKEN_STATES } from '../../tokens/token.dto.js';

/** What the address of a page of access tokens may hold. */
export class ListTokensPageDto {
  /** `inactive` lists the tokens that do not work any more. */
  @TextParam({ values: TOKEN_STATES })
  state?: (typeof TOKEN_STATES)[number] | null;
}
