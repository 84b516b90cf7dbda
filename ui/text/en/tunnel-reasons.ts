/** Why a tunnel is not simply online, and what helps: the sentences of `webcodex doctor`, with typographic marks. */
export const tunnelReasons = {
  local_server_down: {
    sentence: "The tunnel is up, but the WebCodex Server on this computer does not answer.",
    action: "Restart the Server.",
  },
  local_server_refuses: {
    sentence: "The WebCodex Server on this computer refuses the tunnel’s own credential.",
    action: "Restart the Server; if it comes back, report it.",
  },
  busy: {
    sentence: "So many calls are running that no new ones are taken.",
    action: "Wait, or stop running jobs.",
  },
  address_invalid: {
    sentence: "The control plane address is not usable: it must be https, or http on this computer.",
    action: "Correct or remove CONTROL_PLANE_BASE_URL.",
  },
  proxy_unsupported: {
    sentence: "The proxy setting is of a kind that is not supported, such as a configuration script (PAC).",
    action: "Enter the proxy by hand as an HTTP or SOCKS5 proxy, or choose Direct.",
  },
  proxy_failed: {
    sentence: "The proxy does not answer.",
    action: "Start the proxy, or choose another route.",
  },
  proxy_auth_needed: {
    sentence: "The proxy wants a login.",
    action: "Enter the proxy’s user name and password.",
  },
  proxy_refuses: {
    sentence: "The proxy does not let connections to OpenAI through.",
    action: "Allow api.openai.com in the proxy, or choose another route.",
  },
  dns_failed: {
    sentence: "The address of OpenAI cannot be found.",
    action: "Check the internet connection and DNS, or set a proxy.",
  },
  network_blocked: {
    sentence: "OpenAI cannot be reached from this network.",
    action: "Check the internet connection; a proxy may be needed.",
  },
  connect_timed_out: {
    sentence: "Connecting to OpenAI gets no answer.",
    action: "Check firewall and internet connection; a proxy may be needed.",
  },
  tls_failed: {
    sentence: "The secure connection to OpenAI fails.",
    action: "Check the proxy or security software that inspects connections.",
  },
  certificate_untrusted: {
    sentence: "The certificate comes from an issuer this computer does not trust; a company proxy may be inspecting the connection.",
    action: "Add the company’s certificate file in the connection’s settings.",
  },
  certificate_expired: {
    sentence: "The certificate is out of date, or this computer’s clock is wrong.",
    action: "Set the clock of this computer.",
  },
  certificate_file_unusable: {
    sentence: "The additional certificate file cannot be read or holds no certificate.",
    action: "Choose a PEM file with certificates, or remove the setting.",
  },
  client_certificate_needed: {
    sentence: "The organization demands a client certificate, which is not supported.",
    action: "Use a key of an organization without this demand.",
  },
  captive_portal: {
    sentence: "Something on the network answers in place of OpenAI, for example a login page.",
    action: "Open a browser and log in to the network.",
  },
  connection_cut: {
    sentence: "The connection to OpenAI was cut; it is being made again.",
    action: "Nothing; if it lasts, check the network.",
  },
  proxy_cuts_long_poll: {
    sentence: "The proxy ends waiting connections; shorter waits are now used.",
    action: "Nothing; a longer idle limit in the proxy helps.",
  },
  no_answer: {
    sentence: "OpenAI did not answer in time; trying again.",
    action: "Nothing; if it lasts, check the network or the proxy.",
  },
  unexpected_answer: {
    sentence: "The answer from OpenAI could not be understood; trying again.",
    action: "If it lasts, check the proxy and the control plane address.",
  },
  service_trouble: {
    sentence: "OpenAI has trouble; trying again.",
    action: "Nothing; see status.openai.com if it lasts.",
  },
  service_conflict: {
    sentence: "OpenAI reports a conflict; trying again.",
    action: "Nothing; if it lasts, stop other clients of this tunnel.",
  },
  rate_limited: {
    sentence: "OpenAI asks to slow down.",
    action: "Nothing; it goes on by itself.",
  },
  service_refuses: {
    sentence: "OpenAI refuses the request without a known reason.",
    action: "Check Tunnel ID and key; update WebCodex if it lasts.",
  },
  key_malformed: {
    sentence: "The API key is missing or has characters that no key has.",
    action: "Copy the key again from the OpenAI Platform.",
  },
  key_rejected: {
    sentence: "OpenAI did not accept the key: it is wrong, deleted or expired.",
    action: "Make a new key with the permissions Tunnels Read and Use.",
  },
  key_without_workspace: {
    sentence: "The key belongs to no organization or workspace.",
    action: "Make a new key in the organization that owns the tunnel.",
  },
  organization_needed: {
    sentence: "OpenAI needs to know which organization owns the tunnel.",
    action: "Enter the organization ID.",
  },
  tunnel_id_invalid: {
    sentence: "The Tunnel ID does not look right.",
    action: "Copy it again from Platform, Tunnels.",
  },
  tunnel_not_found: {
    sentence: "The tunnel was not found; it may have been deleted.",
    action: "Check the Tunnel ID on the OpenAI Platform.",
  },
  tunnel_not_visible: {
    sentence: "The key cannot see this tunnel: they belong to different organizations, or the tunnel was deleted.",
    action: "Use a key of the organization that owns the tunnel.",
  },
  key_cannot_use_tunnel: {
    sentence: "The key can see this tunnel but may not use it.",
    action: "Give the key the permissions Tunnels Read and Use; a change may take 30 minutes.",
  },
  connector_sends_credentials: {
    sentence: "ChatGPT sends credentials that are not needed and were dropped.",
    action: "Set the connector in ChatGPT to “No authentication”.",
  },
  waiting_for_chat_gpt: {
    sentence: "Ready: waiting for ChatGPT’s first call.",
    action: "Create or refresh the connector in ChatGPT.",
  },
};
