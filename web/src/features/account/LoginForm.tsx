import { useMutation } from '@apollo/client/react';
import { Flex } from '@chakra-ui/react';
import { Form, Formik } from 'formik';
import { graphql } from '../../gql/gql.ts';
import { loginFailure } from '../../lib/server/fault-words.ts';
import { toast } from '../../lib/state/toasts.ts';
import { FocusFirstError, FormField } from '../../ui/form/FormField.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { Button } from '../../ui/parts/Button.tsx';
import { loginSchema } from './account-schemas.ts';
import { PasswordInput } from './PasswordInput.tsx';
import { setViewer } from './viewer.ts';

const LoginDocument = graphql(`
  mutation Login($username: String!, $password: String!) {
    login(username: $username, password: $password) {
      ...Viewer_user
    }
  }
`);

/** Signs in; the page then leads on. */
export function LoginForm() {
  const [logIn, { client }] = useMutation(LoginDocument);
  const submit = async ({ username, password }: { username: string; password: string }) => {
    try {
      const { data } = await logIn({ variables: { username: username.trim(), password } });
      if (!data) return;
      toast('Login successful', `Welcome back, ${data.login.username}!`);
      setViewer(client, data.login);
    } catch (error) {
      toast('Login failed', loginFailure(error), 'destructive');
    }
  };
  return (
    <Formik initialValues={{ username: '', password: '' }} validationSchema={loginSchema} onSubmit={submit}>
      {({ isSubmitting }) => (
        <Form noValidate aria-label="Login">
          <FocusFirstError />
          <Flex direction="column" gap="4">
            <FormField name="username" label="Username" required>
              {({ setValue, ...control }) => (
                <TextInput
                  {...control}
                  autoComplete="username"
                  autoCapitalize="none"
                  onChange={(event) => setValue(event.currentTarget.value)}
                />
              )}
            </FormField>
            <FormField name="password" label="Password" required>
              {({ setValue, ...control }) => (
                <PasswordInput
                  {...control}
                  autoComplete="current-password"
                  onChange={(event) => setValue(event.currentTarget.value)}
                />
              )}
            </FormField>
            <Button type="submit" size="lg" w="full" mt="1" disabled={isSubmitting}>
              {isSubmitting ? 'Signing in...' : 'Sign In'}
            </Button>
          </Flex>
        </Form>
      )}
    </Formik>
  );
}
