import { chakra, Grid } from '@chakra-ui/react';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useCatalogue, useCatalogueRetry } from '../../lib/server/catalogue.ts';
import { Field } from '../../ui/form/Field.tsx';
import { Select } from '../../ui/form/inputs.tsx';
import { Button } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { storeDraftAlert } from './draft-alert.ts';
import { PlaceInput } from './PlaceInput.tsx';

/** The two questions an alert can't do without; the form for a new alert, which it leads to, has them filled and asks the rest. */
export function FirstAlertForm() {
  const catalogue = useCatalogue();
  const hasFailed = useCatalogueRetry() !== undefined;
  const navigate = useNavigate();
  const [make, setMake] = useState('');
  const [location, setLocation] = useState('');
  const begin = (event: FormEvent) => {
    event.preventDefault();
    storeDraftAlert('prefill', { make, location });
    void navigate('/create-alert');
  };
  return (
    <Card pad="lg" flex="1" display="flex" flexDirection="column" justifyContent="center">
      <Heading as="h3" size="lg">
        No Alerts Set Up
      </Heading>
      <Muted fontSize="md" mt="1.5" textWrap="balance">
        Describe the car that you want, and we will watch for it.
      </Muted>
      <chakra.form noValidate aria-label="First alert" onSubmit={begin} mt="6">
        <Grid templateColumns={{ base: 'minmax(0, 1fr)', sm: '1fr 1fr' }} gap="4">
          <Field label="Make">
            {(control) => (
              <Select
                {...control}
                name="make"
                value={make}
                options={catalogue?.makes ?? []}
                placeholder={catalogue || hasFailed ? 'Select make' : 'Loading…'}
                onChange={(event) => setMake(event.currentTarget.value)}
              />
            )}
          </Field>
          <Field label="Location">
            {(control) => (
              <PlaceInput
                {...control}
                name="location"
                value={location}
                onChange={setLocation}
                onBlur={() => undefined}
              />
            )}
          </Field>
        </Grid>
        <Button type="submit" size="lg" w="full" mt="5">
          Create Your First Alert
        </Button>
      </chakra.form>
      <Muted fontSize="xs" mt="3" textAlign="center">
        Model, years, price and distance come next.
      </Muted>
    </Card>
  );
}
