import { Controller, Delete, Get, Module, Post } from '@nestjs/common';
import { Ability, Scopes } from '../../src/core/access/access.decorator.js';
import { Auth, type AuthContext } from '../../src/core/access/auth-context.js';

/** Identity that a request acts as. */
interface Acting {
  viewer: number | null;
  impersonator: number | null;
}

/** Routes that only tell who asks, each declared differently. */
@Controller('probe')
@Scopes()
export class ProbeController {
  @Get('public')
  @Ability('anyone')
  open(@Auth() auth: AuthContext): Acting {
    return acting(auth);
  }

  @Get('profile')
  @Scopes('read_user')
  @Ability('signed_in')
  profile(@Auth() auth: AuthContext): Acting {
    return acting(auth);
  }

  @Get('rows')
  @Ability('signed_in')
  rows(@Auth() auth: AuthContext): Acting {
    return acting(auth);
  }

  @Post('rows')
  @Ability('signed_in')
  write(@Auth() auth: AuthContext): Acting {
    return acting(auth);
  }

  @Delete('rows')
  @Ability('administrate')
  administrate(@Auth() auth: AuthContext): Acting {
    return acting(auth);
  }
}

function acting({ viewer, impersonator }: AuthContext): Acting {
  return { viewer: viewer?.id ?? null, impersonator: impersonator?.id ?? null };
}

@Module({ controllers: [ProbeController] })
export class ProbeModule {}
