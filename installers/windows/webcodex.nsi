; The installer for Windows. It needs no administrator: everything goes to the person's own folders.
; makensis -DVERSION=1.2.3 -DSOURCE=folder-with-the-executables -DOUTPUT=WebCodex-setup.exe webcodex.nsi

Unicode true
Target amd64-unicode
SetCompressor /SOLID lzma
RequestExecutionLevel user
ManifestDPIAware true

!include "MUI2.nsh"
!include "LogicLib.nsh"

!define NAME "WebCodex"
!define APP "webcodex-desktop.exe"
!define SERVER "webcodex.exe"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\${NAME}"
!define RUN "Software\Microsoft\Windows\CurrentVersion\Run"
!define WEBVIEW "Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}"

Name "${NAME}"
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\${NAME}"
InstallDirRegKey HKCU "${UNINSTALL}" "InstallLocation"
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "${NAME}"
VIAddVersionKey "FileDescription" "${NAME} Setup"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "Apache-2.0"

!define MUI_ICON "..\..\src-tauri\icons\icon.ico"
!define MUI_UNICON "..\..\src-tauri\icons\icon.ico"
!define MUI_FINISHPAGE_RUN "$INSTDIR\${APP}"
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"

LangString RUNS ${LANG_ENGLISH} "WebCodex is running. Quit it from its icon in the tray, then try again."
LangString RUNS ${LANG_SIMPCHINESE} "WebCodex 正在运行。请从托盘图标退出，然后重试。"
LangString NO_WEBVIEW ${LANG_ENGLISH} "WebCodex needs the Microsoft Edge WebView2 Runtime, which this computer does not have. Open the page where Microsoft offers it?"
LangString NO_WEBVIEW ${LANG_SIMPCHINESE} "WebCodex 需要 Microsoft Edge WebView2 Runtime，这台电脑上没有。要打开微软的下载页面吗？"

; A running program cannot be opened for writing.
!macro WaitUntilFree FILE
  ${Do}
    ${IfNot} ${FileExists} "${FILE}"
      ${ExitDo}
    ${EndIf}
    ClearErrors
    FileOpen $0 "${FILE}" a
    ${IfNot} ${Errors}
      FileClose $0
      ${ExitDo}
    ${EndIf}
    MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(RUNS)" /SD IDCANCEL IDRETRY +2
    Abort
  ${Loop}
!macroend

Function .onInit
  !insertmacro MUI_LANGDLL_DISPLAY
FunctionEnd

Section "Install"
  !insertmacro WaitUntilFree "$INSTDIR\${APP}"
  !insertmacro WaitUntilFree "$INSTDIR\${SERVER}"
  SetOutPath "$INSTDIR"
  File "${SOURCE}\${APP}"
  File "${SOURCE}\${SERVER}"
  File "..\..\LICENSE"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\${APP}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "${NAME}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\${APP}"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "${NAME}"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1

  ReadRegStr $0 HKLM "SOFTWARE\WOW6432Node\${WEBVIEW}" "pv"
  ${If} $0 == ""
    ReadRegStr $0 HKCU "Software\${WEBVIEW}" "pv"
  ${EndIf}
  ${If} $0 == ""
    MessageBox MB_YESNO|MB_ICONINFORMATION "$(NO_WEBVIEW)" /SD IDNO IDNO +2
    ExecShell "open" "https://developer.microsoft.com/microsoft-edge/webview2/"
  ${EndIf}
SectionEnd

; What was registered and recorded stays: it belongs to the person, not to the program.
Section "Uninstall"
  !insertmacro WaitUntilFree "$INSTDIR\${APP}"
  !insertmacro WaitUntilFree "$INSTDIR\${SERVER}"
  Delete "$INSTDIR\${APP}"
  Delete "$INSTDIR\${SERVER}"
  Delete "$INSTDIR\LICENSE"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\${NAME}.lnk"
  DeleteRegValue HKCU "${RUN}" "${NAME}"
  DeleteRegKey HKCU "${UNINSTALL}"
SectionEnd
