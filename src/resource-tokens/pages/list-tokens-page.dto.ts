import { TextParam } from '../../core/params/params.decorator.js';
import { TOKEN_STATES } from '../../tokens/token.dto.js';

/** Query parameters of an access tokens page. */
export class ListTokensPageDto {
  /** `inactive` lists expired and revoked tokens. */
  @TextParam({ values: TOKEN_STATES })
  state?: (typeof TOKEN_STATES)[number] | null;
}
