foreach ($__command in 'Get-Content', 'Select-String', 'Import-Csv') { $PSDefaultParameterValues["${__command}:Encoding"] = 'utf8' }
if ($PSVersionTable.PSVersion.Major -lt 6) {
    function global:__Write-Utf8([string] $Path, [string] $Text, [bool] $Append) {
        $full = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($Path)
        if ($Append) { [System.IO.File]::AppendAllText($full, $Text, [System.Text.UTF8Encoding]::new($false)) }
        else { [System.IO.File]::WriteAllText($full, $Text, [System.Text.UTF8Encoding]::new($false)) }
    }
    function global:Out-File {
        [CmdletBinding(DefaultParameterSetName = 'ByPath')]
        param(
            [Parameter(ParameterSetName = 'ByPath', Mandatory, Position = 0)] [string] $FilePath,
            [Parameter(ParameterSetName = 'ByLiteralPath', Mandatory)] [Alias('PSPath')] [string] $LiteralPath,
            [Parameter(Position = 1)] $Encoding, [switch] $Append, [switch] $Force, [switch] $NoClobber, [int] $Width = 4096, [switch] $NoNewline,
            [Parameter(ValueFromPipeline)] [psobject] $InputObject
        )
        begin { $all = [System.Collections.Generic.List[object]]::new() }
        process { if ($MyInvocation.ExpectingInput -or $PSBoundParameters.ContainsKey('InputObject')) { $all.Add($InputObject) } }
        end {
            if ($PSBoundParameters.ContainsKey('Encoding') -or $NoClobber) { $all | Microsoft.PowerShell.Utility\Out-File @PSBoundParameters; return }
            $target = if ($LiteralPath) { $LiteralPath } else { $FilePath }
            $lines = @($all | Microsoft.PowerShell.Utility\Out-String -Stream -Width $Width)
            $end = if ($NoNewline) { '' } else { "`n" }
            __Write-Utf8 $target (-join ($lines | ForEach-Object { $_ + $end })) $Append
        }
    }
    function global:Set-Content {
        [CmdletBinding(DefaultParameterSetName = 'Path')]
        param(
            [Parameter(ParameterSetName = 'Path', Mandatory, Position = 0)] [string[]] $Path,
            [Parameter(ParameterSetName = 'LiteralPath', Mandatory)] [Alias('PSPath')] [string[]] $LiteralPath,
            [Parameter(Mandatory, Position = 1, ValueFromPipeline)] [AllowNull()] [AllowEmptyCollection()] [object[]] $Value,
            $Encoding, [switch] $Force, [switch] $NoNewline, [switch] $PassThru
        )
        begin { $all = [System.Collections.Generic.List[object]]::new() }
        process { foreach ($item in $Value) { $all.Add($item) } }
        end {
            if ($PSBoundParameters.ContainsKey('Encoding')) {
                $null = $PSBoundParameters.Remove('Value')
                $all | Microsoft.PowerShell.Management\Set-Content @PSBoundParameters
                return
            }
            $end = if ($NoNewline) { '' } else { "`n" }
            foreach ($target in @($Path) + @($LiteralPath) | Where-Object { $_ }) {
                __Write-Utf8 $target (-join ($all | ForEach-Object { "$_" + $end })) $false
            }
            if ($PassThru) { $all }
        }
    }
    function global:Add-Content {
        [CmdletBinding(DefaultParameterSetName = 'Path')]
        param(
            [Parameter(ParameterSetName = 'Path', Mandatory, Position = 0)] [string[]] $Path,
            [Parameter(ParameterSetName = 'LiteralPath', Mandatory)] [Alias('PSPath')] [string[]] $LiteralPath,
            [Parameter(Mandatory, Position = 1, ValueFromPipeline)] [AllowNull()] [AllowEmptyCollection()] [object[]] $Value,
            $Encoding, [switch] $Force, [switch] $NoNewline, [switch] $PassThru
        )
        begin { $all = [System.Collections.Generic.List[object]]::new() }
        process { foreach ($item in $Value) { $all.Add($item) } }
        end {
            if ($PSBoundParameters.ContainsKey('Encoding')) {
                $null = $PSBoundParameters.Remove('Value')
                $all | Microsoft.PowerShell.Management\Add-Content @PSBoundParameters
                return
            }
            $end = if ($NoNewline) { '' } else { "`n" }
            foreach ($target in @($Path) + @($LiteralPath) | Where-Object { $_ }) {
                __Write-Utf8 $target (-join ($all | ForEach-Object { "$_" + $end })) $true
            }
            if ($PassThru) { $all }
        }
    }
}
