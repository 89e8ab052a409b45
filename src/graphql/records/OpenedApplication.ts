/** An application as a portal shows it to who may open it. */
import { Field, ObjectType } from 'type-graphql';
import { Uuid } from '../../entities/scalars.js';

@ObjectType({ description: 'An application that a profile opens: a portal’s tile.', simpleResolvers: true })
export class OpenedApplication {
  @Field(() => Uuid, { description: 'Guid of the application.' }) applicationGuid!: string;
  @Field(() => String, { description: 'Name, in the language asked for where it is translated.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'What it is for, in the language asked for.' })
  description!: string | null;
  @Field(() => String, { description: 'Icon at rest.' }) iconDefault!: string;
  @Field(() => String, { description: 'Icon under the pointer.' }) iconHover!: string;
  @Field(() => String, { description: 'Kind of application.' }) appType!: string;
  @Field(() => String, { description: 'How it is rendered.' }) renderingMode!: string;
  @Field(() => String, { description: 'How its link opens.' }) linkType!: string;
  @Field(() => String, { nullable: true, description: 'The individual link where there is one, else the global one.' })
  link!: string | null;
  @Field(() => Boolean, { nullable: true, description: 'Whether it needs a token exchange.' })
  isTokenExchangeRequired!: boolean | null;
  @Field(() => Boolean, { nullable: true, description: 'Whether it is shown in an iframe.' })
  isIframe!: boolean | null;
}
