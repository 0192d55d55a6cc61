import { Controller, Get, Module, Post } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { Ability, Scopes } from '../../src/core/access/access.decorator.js';
import { startTestApp } from '../support/app.js';

@Controller('undeclared')
class UndeclaredController {
  @Get('scopes')
  @Ability('anyone')
  withoutScopes(): string {
    return 'never reached';
  }

  @Post('ability')
  @Scopes('read_user')
  withoutAbility(): string {
    return 'never reached';
  }

  @Get('guard')
  @Scopes()
  @Ability('read_project' as 'anyone')
  withoutGuard(): string {
    return 'never reached';
  }
}

@Module({ controllers: [UndeclaredController] })
class UndeclaredModule {}

describe('a route that does not say who may use it', () => {
  it('keeps the process from starting, each such route being named', async () => {
    await expect(startTestApp({ imports: [UndeclaredModule] })).rejects.toThrow(
      [
        'Undeclared routes:',
        '  GET UndeclaredController.withoutScopes: no @Scopes',
        '  POST UndeclaredController.withoutAbility: no @Ability',
        '  GET UndeclaredController.withoutGuard: ability read_project has no guard',
      ].join('\n'),
    );
  });
});
