// Sets the color scheme before the first paint, then starts Swagger UI.
const root = document.documentElement;
const darkRoom = matchMedia('(prefers-color-scheme: dark)');
const followRoom = () => root.classList.toggle('dark-mode', darkRoom.matches);
darkRoom.addEventListener('change', followRoom);
followRoom();

async function readDescription() {
  const answer = await fetch('/api/openapi.json', { headers: { Accept: 'application/json' } });
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  const description = await answer.json();
  // Calls go to the origin of this page, because those to another one would be refused.
  description.servers = [{ url: location.origin }];
  // The browser sends the session cookie by itself; it can't be typed in here.
  delete description.components.securitySchemes.session;
  for (const path of Object.values(description.paths))
    for (const operation of Object.values(path))
      operation.security = operation.security.filter((scheme) => !('session' in scheme));
  return description;
}

async function showDescription() {
  const place = document.getElementById('description');
  try {
    window.SwaggerUIBundle({
      spec: await readDescription(),
      domNode: place,
      presets: [window.SwaggerUIBundle.presets.apis],
      layout: 'BaseLayout',
      deepLinking: true,
      displayRequestDuration: true,
      defaultModelsExpandDepth: 0,
      defaultModelExpandDepth: 2,
      validatorUrl: null,
    });
  } catch (error) {
    place.textContent = `The description could not be read: ${error.message}. Please reload this page.`;
  }
}

document.addEventListener('DOMContentLoaded', showDescription);
